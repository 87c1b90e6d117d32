export const SCALE = 1
export const WEIGHTS = 'AAAA'

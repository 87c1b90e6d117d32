/**
 * A text without control characters, and without those that turn the direction of writing around: a belief is shown beside others, which they would
 * change or hide. White space stays, as do the marks that scripts written from right to left need.
 */
export const plain = (text: string): string => text.replace(/(?!\s)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')

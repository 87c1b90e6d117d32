import { SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages'
import { openMemory } from 'credence'
import { withMemory } from 'credence/langchain'
import { chat, standIn } from '../chat.ts'

// In your page: a chat model of a provider, such as `new ChatOllama({ model: 'llama3.2' })`.
class StandIn extends SimpleChatModel {
  override _llmType() {
    return 'stand-in'
  }
  override async _call(messages: BaseMessage[]) {
    return standIn(messages)
  }
}

const memory = openMemory({ name: 'example-langchain', assets: '/' })
const model = withMemory(new StandIn({}), memory)
const messages: BaseMessage[] = []

chat(async text => {
  messages.push(new HumanMessage(text))
  const answer = await model.invoke(messages)
  messages.push(new AIMessage(answer.text))
  return answer.text
})

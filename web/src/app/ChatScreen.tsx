import OrderSummary from '@/features/orders/OrderSummary'
import Conversation from '@/features/talk/Conversation'
import ConversationList from '@/features/talk/ConversationList'
import { useQueryParam } from '@/navigation/navigation'

/** The conversation of an order with the order on top, or the list of conversations. */
export default function ChatScreen() {
  const orderId = useQueryParam('id')
  if (orderId === '') {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto px-4 xs:px-5">
        <ConversationList />
      </div>
    )
  }
  return (
    <>
      <OrderSummary orderId={orderId} />
      <Conversation orderId={orderId} />
    </>
  )
}

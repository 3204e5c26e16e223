/** The commands as tools. */
import type { Tool, ToolParameter, ToolParameters } from "../env.js";
import { seats } from "./world/booking-changes.js";
import { reasons } from "./world/return-changes.js";

type Properties = Record<string, ToolParameter>;

function command(name: string, description: string, properties: Properties): Tool {
  const required = Object.keys(properties);
  const parameters: ToolParameters = { type: "object", properties, required, additionalProperties: false };
  return { name, description, parameters, action: [name, ...required.map((each) => `{${each}}`)].join(" ") };
}

function text(description: string, values?: readonly string[]): ToolParameter {
  return { type: "string", description, ...(values && { enum: [...values] }) };
}

const order = { order: text("Id of the order, such as A310.") };
const booking = { booking: text("Id of the booking, such as B310.") };
const item = { item: text("Item in the order, such as desk-lamp-oak.") };
const newItem = { new_item: text("Item in its place, such as desk-lamp-white.") };
const seat = { seat: text("The seat.", seats) };
const reason = { reason: text("The reason.", reasons) };
const method = { method: text("Payment method of the customer, such as card-4417.") };

export const tools: readonly Tool[] = [
  command("find_customer", "Shows the customer with a name or an e-mail, with orders and bookings.", {
    text: text("Full name or e-mail."),
  }),
  command("look_up", "Shows a customer, an order, a booking, a trip or a product.", { id: text("Id of the record.") }),
  command("verify_customer", "Checks a customer's postcode.", {
    customer: text("Id of the customer, such as C31."),
    postcode: text("Postcode that the customer has given."),
  }),
  command("change_address", "Changes the address of an order.", { ...order, address: text("The new address.") }),
  command("cancel_order", "Cancels an order, charges the fee, and pays the rest back.", order),
  command("swap_item", "Puts another item into an order.", { ...order, ...item, ...newItem }),
  command("return_item", "Takes a delivered item back, and pays the refund.", {
    ...order,
    ...item,
    ...reason,
    ...method,
  }),
  command("exchange_item", "Exchanges a delivered item for another one.", { ...order, ...item, ...newItem, ...reason }),
  command("change_trip", "Moves a booking to another trip.", {
    ...booking,
    trip: text("Id of the new trip, such as T310."),
    ...seat,
  }),
  command("upgrade_booking", "Moves a booking to comfort class.", { ...booking, ...seat }),
  command("cancel_booking", "Cancels a booking, and pays the refund.", { ...booking, ...method }),
  command("compensate", "Pays a compensation for a late trip.", {
    ...booking,
    amount: { type: "integer", description: "Dollars." },
    method: text("The voucher, or a payment method of the customer, such as card-4417."),
  }),
  {
    name: "say",
    description: "Writes a message to the customer, and shows the answer.",
    parameters: {
      type: "object",
      properties: { message: { type: "string", description: "The message." } },
      required: ["message"],
      additionalProperties: false,
    },
    action: "say {message}",
  },
  command("end_conversation", "Ends the conversation.", {}),
  command("hand_over", "Hands the conversation over to a colleague, and ends it.", {}),
];

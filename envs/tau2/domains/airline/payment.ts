/** Payments for changes of a reservation. */
import { isLess, lookUp, subtract } from "../../python/operations.js";
import { type Model, ToolFailed, type Value } from "../../python/value.js";
import { dictField, field, listField } from "../records.js";
import { payment } from "./models.js";

/** Charges a user for a change, and notes the payment in the reservation. @throws {ToolFailed} */
export function charge(reservation: Model, user: Model, id: Value, price: Value): void {
  const method = lookUp(dictField(user, "payment_methods"), id) as Model | undefined;
  if (!method) throw new ToolFailed("Payment method not found");
  const source = field(method, "source");
  if (source === "certificate") throw new ToolFailed("Certificate cannot be used to update reservation");
  if (source === "gift_card") {
    const amount = field(method, "amount");
    if (isLess(amount, price)) throw new ToolFailed("Gift card balance is not enough");
    method.set("amount", subtract(amount, price, "-="));
  }
  const made =
    Number(price) === 0
      ? undefined
      : payment.make(
          new Map([
            ["payment_id", id],
            ["amount", price],
          ]),
        );
  if (made) listField(reservation, "payment_history").push(made);
}

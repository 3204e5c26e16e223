/** Displayed names of the statuses of orders. */
import type { OrderStatus } from "./records.js";

export const statusNames: Readonly<Record<OrderStatus, string>> = {
  pending: "Pending",
  processing: "Processing",
  complete: "Complete",
  canceled: "Canceled",
  holded: "On Hold",
  closed: "Closed",
  fraud: "Suspected Fraud",
};

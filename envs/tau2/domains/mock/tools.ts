/** The tools of tau2-bench's small domain: tasks of users, and the user's notifications. */

import { dictOf, list, literal, model, optional, text } from "../../python/model.js";
import { isEqual, lookUp } from "../../python/operations.js";
import { type Model, ToolFailed, type Value } from "../../python/value.js";
import { field, listField } from "../records.js";
import { textParameter } from "../schemas.js";
import { transfer } from "../shared-tools.js";
import type { Database } from "../table.js";
import { filled, type Toolkit } from "../toolkit.js";

const statuses = ["pending", "completed"];
const task = model("Task", { task_id: text, title: text, description: optional(text), status: literal(...statuses) });
const user = model("User", { user_id: text, name: text, tasks: list(text) });
const notification = model("Notification", {
  notification_id: text,
  message: text,
  status: { type: literal("unread", "read"), fallback: "unread" },
  task_id: optional(text),
});

export const mockDatabase = model("MockDB", { tasks: dictOf(task.type), users: dictOf(user.type) });
export const mockUserDatabase = model("MockUserDB", {
  notifications: { type: dictOf(notification.type), fallback: new Map() },
});

function found(database: Database, table: string, name: string, id: Value): Model {
  const records = database.table(table);
  if (!records) throw new ToolFailed(`'${database.model}' object has no attribute '${table}'`);
  const record = lookUp(records, id);
  if (record) return record;
  throw new ToolFailed(filled`${name} ${id} not found`);
}

function createTask(database: Database, args: Readonly<Record<string, Value>>): Value {
  const owner = found(database, "users", "User", args.user_id as Value);
  const id = `task_${(database.table("tasks")?.size ?? 0) + 1}`;
  const fields = { task_id: id, title: args.title, description: args.description, status: "pending" };
  const made = task.make(new Map(Object.entries(fields as Record<string, Value>)));
  database.table("tasks")?.set(id, made);
  listField(owner, "tasks").push(id);
  return made;
}

function updateStatus(database: Database, { task_id, status }: Readonly<Record<string, Value>>): Value {
  const changed = found(database, "tasks", "Task", task_id as Value);
  changed.set("status", status as Value);
  return changed;
}

const taskId = { task_id: textParameter("Id of the task, such as task_1.") };
const userId = { user_id: textParameter("Id of the user, such as user_1.") };
const notificationId = { notification_id: textParameter("Id of the notification.") };

export const mockTools: Toolkit = {
  className: "MockTools",
  tools: {
    create_task: {
      kind: "write",
      description: "Makes a task for a user.",
      parameters: { ...userId, title: textParameter("Title."), description: textParameter("Description.") },
      fallbacks: { description: null },
      run: createTask,
    },
    get_users: {
      kind: "read",
      description: "Lists all users.",
      parameters: {},
      run: (database) => [...(database.table("users")?.all() ?? [])].map(([, each]) => each),
    },
    update_task_status: {
      kind: "write",
      description: "Changes the status of a task.",
      parameters: { ...taskId, status: textParameter("The new status.", statuses) },
      run: updateStatus,
    },
    transfer_to_human_agents: transfer,
  },
  functions: {
    assert_number_of_tasks: {
      parameters: { ...userId, expected_number: {} },
      run: (database, args) => {
        const { length } = listField(found(database, "users", "User", args.user_id as Value), "tasks");
        return isEqual(BigInt(length), args.expected_number as Value);
      },
    },
    assert_task_status: {
      parameters: { ...taskId, expected_status: {} },
      run: (database, args) =>
        isEqual(
          field(found(database, "tasks", "Task", args.task_id as Value), "status"),
          args.expected_status as Value,
        ),
    },
  },
};

export const mockUserTools: Toolkit = {
  className: "MockUserTools",
  tools: {
    check_notifications: {
      kind: "read",
      description: "Lists the notifications.",
      parameters: {},
      run: (database) => {
        const records = database.table("notifications");
        if (!records) throw new ToolFailed(`'${database.model}' object has no attribute 'notifications'`);
        return [...records.all()].map(([, each]) => each);
      },
    },
    dismiss_notification: {
      kind: "write",
      description: "Marks a notification as read.",
      parameters: notificationId,
      run: (database, { notification_id }) => {
        found(database, "notifications", "Notification", notification_id as Value).set("status", "read");
        return filled`Notification ${notification_id as Value} dismissed`;
      },
    },
  },
  functions: {
    add_notification: {
      parameters: { ...notificationId, message: {}, task_id: {} },
      fallbacks: { task_id: null },
      run: (database, args) => {
        const made = notification.make(new Map(Object.entries(args)));
        database.table("notifications")?.set(String(args.notification_id), made);
        return made;
      },
    },
    assert_notification_status: {
      parameters: { ...notificationId, expected_status: {} },
      run: (database, args) => {
        const one = found(database, "notifications", "Notification", args.notification_id as Value);
        return isEqual(field(one, "status"), args.expected_status as Value);
      },
    },
  },
};

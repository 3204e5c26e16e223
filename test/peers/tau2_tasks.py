"""Tasks in tau2-bench's file format, on the databases of tau2_databases.py."""

import json

from tau2_databases import price, total, user_id

ONE, TWO, THREE, FOUR, FIVE = (user_id(number) for number in range(1, 6))
HISTORY = [
    {"role": "user", "content": "Hello, I am User Two.", "turn_idx": 0},
    {"role": "assistant", "content": "What is your e-mail?", "turn_idx": 1},
]


def action(name, at, requestor="assistant", compared=None, **arguments):
    row = {"action_id": f"action_{at}", "requestor": requestor, "name": name, "arguments": arguments, "info": None}
    return row if compared is None else {**row, "compare_args": compared}


def numbered(calls):
    """Makes golden actions of rows: name, arguments, and the further fields of an action."""
    return [action(row[0], at, **{**(row[2] if len(row) > 2 else {}), **row[1]}) for at, row in enumerate(calls)]


def task(name, reason, calls=None, told=None, judged=None, basis=None, initial=None, assertions=None, domain=None, **more):
    parts = {"domain": domain, "reason_for_call": reason, "known_info": "You know the ids that you name.", "unknown_info": None}
    instructions = {**parts, "task_instructions": "Answer briefly, and stop when the agent is done."} if domain else reason
    criteria = {
        "actions": None if calls is None else numbered(calls), "communicate_info": told, "nl_assertions": judged,
        "env_assertions": assertions, "reward_basis": basis,
    }
    return {
        "id": name, "description": {"purpose": f"Covers {name}.", "relevant_policies": None, "notes": None},
        "user_scenario": {"persona": more.pop("persona", None), "instructions": instructions}, "initial_state": initial,
        "evaluation_criteria": {key: value for key, value in criteria.items() if value is not None}, **more,
    }


def called(side, name, **arguments):
    return {"env_type": side, "func_name": name, "arguments": arguments}


def legs(*flights):
    return [{"flight_number": number, "date": date} for number, date in flights]


def guest(number, born="1990-01-01"):
    return {"first_name": "Guest", "last_name": f"Number {number}", "dob": born}


def booking(owner, flights, cabin, travellers, payments, bags=(0, 0), insurance="no", places=("SFO", "DEN")):
    return {
        "user_id": owner, "origin": places[0], "destination": places[1], "flight_type": "one_way", "cabin": cabin,
        "flights": legs(*flights), "passengers": travellers, "payment_methods": [{"payment_id": each, "amount": amount} for each, amount in payments],
        "total_baggages": bags[0], "nonfree_baggages": bags[1], "insurance": insurance,
    }


def airline():
    made = []

    def add(name, reason, calls, **more):
        made.append(task(name, reason, calls, domain="airline", **more))

    add("look-only", "You want your reservation QA1002 cancelled, though you are told that this is not possible.", [
        ("get_user_details", {"user_id": ONE}), ("get_reservation_details", {"reservation_id": "QA1002"}),
    ], judged=["The agent refuses the cancellation."], basis=["DB", "COMMUNICATE"])
    cost = price("PAL101", "2024-05-22", "economy") + 30
    add("book-direct", "You are user_five_1005, and book an insured seat to DEN in economy on May 22. You ask for the price.", [
        ("get_user_details", {"user_id": FIVE}), ("list_all_airports", {}),
        ("search_direct_flight", {"origin": "SFO", "destination": "DEN", "date": "2024-05-22"}), ("calculate", {"expression": f"{cost - 30} + 30"}),
        ("book_reservation", booking(FIVE, [("PAL101", "2024-05-22")], "economy", [guest(1)], [("credit_card_4005", cost)], insurance="yes")),
    ], told=[str(cost)], basis=["DB", "COMMUNICATE"])
    stops = [("PAL107", "2024-05-23"), ("PAL102", "2024-05-24")]
    cost = 2 * sum(price(*each, "business") for each in stops) + 50
    add("book-with-a-stop", "You are user_one_1001, and book business seats to JFK for two, with three bags, paid with all that you have.", [
        ("search_onestop_flight", {"origin": "SFO", "destination": "JFK", "date": "2024-05-23"}),
        ("book_reservation", booking(ONE, stops, "business", [guest(1), guest(2)], [
            ("certificate_6001", 150), ("gift_card_5001", 400), ("credit_card_4001", cost - 550),
        ], bags=(3, 1), places=("SFO", "JFK"))),
    ], told=[], basis=["DB", "COMMUNICATE"])
    add("cancel-and-console", "Your flight of QC3002 is cancelled. You want your money, and ask for a certificate.", [
        ("get_reservation_details", {"reservation_id": "QC3002"}), ("get_flight_status", {"flight_number": "PAL101", "date": "2024-05-17"}),
        ("cancel_reservation", {"reservation_id": "QC3002"}), ("send_certificate", {"user_id": THREE, "amount": 100}),
    ], told=["100", "cancelled"], basis=["DB", "ACTION", "COMMUNICATE"])
    add("change-flights", "You move QC3001 to business on the same day, paid with your gift card, and add two bags.", [
        ("get_reservation_details", {"reservation_id": "QC3001"}),
        ("update_reservation_flights", {"reservation_id": "QC3001", "cabin": "business", "flights": legs(("PAL106", "2024-05-25")), "payment_id": "gift_card_5003"}),
        ("update_reservation_baggages", {"reservation_id": "QC3001", "total_baggages": 4, "nonfree_baggages": 2, "payment_id": "gift_card_5003"}),
    ], basis=["DB"])
    add("other-guest", "Another guest flies with you in QA1002. You add no bag, and cancel QA1001.", [
        ("update_reservation_passengers", {"reservation_id": "QA1002", "passengers": [guest(1), guest(2, "1991-02-02")]}),
        ("update_reservation_baggages", {"reservation_id": "QA1002", "total_baggages": 2, "nonfree_baggages": 1, "payment_id": "gift_card_5001"}),
        ("cancel_reservation", {"reservation_id": "QA1001"}),
    ], judged=["The agent names the new guest.", "The agent stays polite."], basis=["DB", "NL_ASSERTION"])
    add("hand-over", "You want a word with the head of the airline.", [
        ("transfer_to_human_agents", {"summary": "The user asks for the head of the airline."}, {"compared": []}),
    ], basis=["DB", "ACTION"])
    cost = price("PAL110", "2024-05-21", "basic_economy")
    data = {"agent_data": {"users": {FIVE: {"membership": "silver", "payment_methods": {"gift_card_5": {"source": "gift_card", "id": "gift_card_5", "amount": 12}}}}}}
    add("pay-with-what-was-sent", "You are user_five_1005, and fly to SEA on May 21 in basic economy, paid with the certificate that you have just got.", [
        ("book_reservation", booking(FIVE, [("PAL110", "2024-05-21")], "basic_economy", [guest(1)], [
            ("certificate_3221322", cost - 12), ("gift_card_5", 12),
        ], places=("SFO", "SEA"))),
    ], told=["$1"], initial={"initialization_data": data, "initialization_actions": [called("assistant", "send_certificate", user_id=FIVE, amount=300)]})
    add("refused", "You want a seat in QB2002 that your gift card cannot pay, and a passenger more.", [
        ("update_reservation_flights", {"reservation_id": "QB2002", "cabin": "business", "flights": legs(("PAL103", "2024-05-22"), ("PAL108", "2024-05-22")), "payment_id": "gift_card_5002"}),
        ("update_reservation_passengers", {"reservation_id": "QB2002", "passengers": [guest(1), guest(2)]}),
        ("send_certificate", {"user_id": TWO, "amount": 50.0}),
    ], basis=["DB", "COMMUNICATE", "NL_ASSERTION"])
    return made


def retail():
    made = []

    def add(name, reason, calls, **more):
        made.append(task(name, reason, calls, domain="retail", **more))

    place = {"address1": "9 Side Street", "address2": "", "city": "Springfield", "state": "IL", "country": "USA", "zip": "62709"}
    name = {"first_name": "User", "last_name": "Two", "zip": "62702"}
    add("exchange", "You are User Two in 62702, and exchange one of the rugs and the lamp of #P1005.", [
        ("find_user_id_by_name_zip", name), ("get_order_details", {"order_id": "#P1005"}), ("get_product_details", {"product_id": "7500"}),
        ("get_item_details", {"item_id": "7100002"}),
        ("exchange_delivered_order_items", {"order_id": "#P1005", "item_ids": ["7500001", "7100004"], "new_item_ids": ["7500002", "7100002"], "payment_method_id": "paypal_9002"}),
    ], basis=["DB", "NL_ASSERTION"])
    add("return", "Your e-mail is user.1@example.com. You return the headset of #P1002.", [
        ("find_user_id_by_email", {"email": "user.1@example.com"}), ("get_user_details", {"user_id": ONE}),
        ("return_delivered_order_items", {"order_id": "#P1002", "item_ids": ["7400001"], "payment_method_id": "credit_card_8001"}),
    ], judged=["The agent says that the money comes back."], basis=["DB", "NL_ASSERTION"])
    add("other-items", "You want the kettle of #P1003 in steel and larger, paid with your gift card. You ask what is left on it.", [
        ("list_all_product_types", {}), ("calculate", {"expression": "60 - (33.1 - 27.89)"}),
        ("modify_pending_order_items", {"order_id": "#P1003", "item_ids": ["7200003"], "new_item_ids": ["7200002"], "payment_method_id": "gift_card_5101"}),
    ], told=["54.79", "2 l"], basis=["DB", "COMMUNICATE"])
    add("new-address", "You are user_four_1004, and have moved to 9 Side Street. #P1013 shall go there.", [
        ("modify_pending_order_address", {"order_id": "#P1013", **place}), ("modify_user_address", {"user_id": FOUR, **place}),
    ], told=["Side Street"])
    add("other-payment", "You want to pay #P1003 with your card, and #P1006 with your gift card.", [
        ("modify_pending_order_payment", {"order_id": "#P1003", "payment_method_id": "credit_card_8001"}),
        ("modify_pending_order_payment", {"order_id": "#P1006", "payment_method_id": "gift_card_5102"}),
    ], basis=["DB", "ACTION"])
    add("cancel", f"You cancel #P1003 and #P1013, and ask how much comes back for both.", [
        ("cancel_pending_order", {"order_id": "#P1003", "reason": "no longer needed"}),
        ("cancel_pending_order", {"order_id": "#P1013", "reason": "ordered by mistake"}),
    ], told=[str(round(total(["7200003"]) + total(["7400001", "7100004"]), 2))], basis=["DB", "COMMUNICATE"])
    add("look-only", "You ask how many backpacks there are, and whether #P1004 can be cancelled.", [
        ("get_product_details", {"product_id": "7300"}), ("get_order_details", {"order_id": "#P1004"}),
    ], told=["2"], judged=["The agent does not cancel the order."], basis=["DB", "COMMUNICATE", "NL_ASSERTION"])
    add("hand-over", "You want to sell your old rug to the shop.", [
        ("transfer_to_human_agents", {"summary": "The user wants to sell a rug."}, {"compared": []}),
    ], basis=["DB", "ACTION"])
    found = {"role": "assistant", "tool_calls": [{"id": "call_0", "name": "find_user_id_by_email", "arguments": {"email": "USER.2@example.com"}}], "turn_idx": 3}
    history = [
        *HISTORY, {"role": "user", "content": "It is user.2@example.com.", "turn_idx": 2}, found,
        {"role": "tool", "id": "call_0", "content": TWO, "turn_idx": 4}, {"role": "assistant", "content": "What can I do?", "turn_idx": 5},
    ]
    data = {"agent_data": {"orders": {"#P1004": {"status": "delivered"}}, "users": {TWO: {"email": "user.2@example.com"}}}}
    add("continued", "You return the rug of #P1004, and pay nothing.", [
        ("return_delivered_order_items", {"order_id": "#P1004", "item_ids": ["7500001"], "payment_method_id": "gift_card_5102"}),
        ("get_order_details", {"order_id": "#P1004"}, {"compared": ["order_id"]}),
    ], basis=["DB", "ACTION", "COMMUNICATE"], initial={"initialization_data": data, "message_history": history})
    return made


def mock():
    review = {"user_id": "user_1", "title": "Quarterly Review"}
    created = {**review, "description": "With slides"}
    kept = {"task_id": "task_3", "title": "Quarterly Review", "description": "With slides", "status": "pending"}
    history = [
        {"role": "user", "content": "Please note the review.", "turn_idx": 0},
        {"role": "assistant", "tool_calls": [{"id": "call_0", "name": "create_task", "arguments": created}], "turn_idx": 1},
        {"role": "tool", "id": "call_0", "content": json.dumps(kept), "turn_idx": 2},
        {"role": "assistant", "content": "It is task_3.", "turn_idx": 3},
    ]
    status = called("assistant", "assert_task_status", task_id="task_3", expected_status="pending")
    count = called("assistant", "assert_number_of_tasks", user_id="user_2", expected_number=2.0)
    read = called("user", "assert_notification_status", notification_id="note_2", expected_status="unread")
    data = {"agent_data": {"tasks": {"task_1": {"status": "completed"}}, "users": {"user_2": {"name": "User Zwei"}}}}
    actions = [called("assistant", "create_task", user_id="user_2", title="Buy ink")]
    note = called("user", "add_notification", notification_id="note_2", message="The mail is here.", task_id="task_2")
    free = task("free-talk", "You talk about the weather.")
    del free["evaluation_criteria"]
    return [
        task("plan-review", "You want a task with the title Quarterly Review for user_1.", [("create_task", review)], judged=["The agent names the task."], persona="You write in short sentences."),
        task("plan-and-check", "You want a task with the title Quarterly Review for user_1.", [("create_task", review)], assertions=[status], basis=["DB", "ENV_ASSERTION"]),
        task("be-kind", "You want a kind word.", judged=["The agent says a kind word.", "The agent makes no task."], basis=["NL_ASSERTION"]),
        task("finish", "You have watered the plants of task_1. You want to see all users.", [
            ("get_users", {}), ("update_task_status", {"task_id": "task_1", "status": "completed"}),
        ], told=["completed", "User Two"]),
        task("continued", "The review of task_3 is done.", initial={"message_history": history}, assertions=[{**status, "assert_value": False}], basis=["ENV_ASSERTION"]),
        task("with-data", "You are user_2, and want to see your tasks. Task_3 is done.", [
            ("update_task_status", {"task_id": "task_3", "status": "completed"}),
        ], assertions=[count], basis=["DB", "ENV_ASSERTION"], initial={"initialization_data": data, "initialization_actions": actions}),
        task("notes", "You read your notes, dismiss note_2 and note_9, and want task_2 open again.", [
            ("check_notifications", {}, {"requestor": "user"}), ("update_task_status", {"task_id": "task_2", "status": "pending"}),
            ("dismiss_notification", {"notification_id": "note_2"}, {"requestor": "user"}), ("dismiss_notification", {"notification_id": "note_9"}, {"requestor": "user"}),
        ], assertions=[{**read, "assert_value": False}], basis=["DB", "ACTION", "ENV_ASSERTION"], initial={"initialization_actions": [note]}, user_tools=["check_notifications", "dismiss_notification"]),
        task("hand-over", "You want all tasks deleted.", [
            ("transfer_to_human_agents", {"summary": "The user wants all tasks deleted."}, {"compared": []}),
        ], basis=["DB", "ACTION"], initial={"initialization_data": {"user_data": {"notifications": {"note_1": {"status": "read"}}}}}),
        task("lost-note", "You ask about note_9.", assertions=[{**read, "arguments": {"notification_id": "note_9", "expected_status": "read"}}], basis=["ENV_ASSERTION"]),
        free,
    ]


def splits(tasks, has_parts):
    ids = [each["id"] for each in tasks]
    return {"train": ids[:-3], "test": ids[-3:], "base": ids} if has_parts else {"base": ids}

"""Calls that lead to each error of tau2-bench's tools on the databases of tau2_databases.py, and expressions."""

from tau2_databases import price
from tau2_tasks import FOUR, ONE, THREE, TWO, booking, guest, legs

EXPRESSIONS = [
    "2 + 2", "(1 + 2) * 3", "2 +", "2(3)", "()", "1/0", "012", "1 2", "2**3", "7//2", "-7//2", "1e3", "10**400", "((2)", "2))", "",
    "1.5.2", "3.", ".5+.5", "2 ** -1", "0*-1", "1/3*100", "-2**2", "5/0.0", "0//0", "--3", "+4", "2*(3+4)-5/2", "0.125 + 0",
    "2.675 + 0", "1000000*1000000*10000000", "46.66 + 27.89 - 3", "(-8)**.5", "7.5//2", "5//0.0", "0.0**-1", "1..5", "2**0.5", "00", "0.1+0.2",
]


def seat(*payments, number="PAL101", date="2024-05-22", cabin="economy", owner=ONE, **more):
    return ("book_reservation", booking(owner, [(number, date)], cabin, [guest(1)], payments, **more))


def moved(name, number="PAL101", date="2024-05-22", cabin="economy", method="credit_card_4001"):
    flights = legs((number, date))
    return ("update_reservation_flights", {"reservation_id": name, "cabin": cabin, "flights": flights, "payment_id": method})


def bags(name, more, method):
    return ("update_reservation_baggages", {"reservation_id": name, "total_baggages": more, "nonfree_baggages": more, "payment_id": method})


def lines(tool, order, old, new, method):
    return (tool, {"order_id": order, "item_ids": old, "new_item_ids": new, "payment_method_id": method})


def back(order, items, method):
    return ("return_delivered_order_items", {"order_id": order, "item_ids": items, "payment_method_id": method})


def paid_by(order, method):
    return ("modify_pending_order_payment", {"order_id": order, "payment_method_id": method})


def cancel(order, reason="no longer needed"):
    return ("cancel_pending_order", {"order_id": order, "reason": reason})


PLACE = {"address1": "1 Side Street", "address2": "", "city": "Springfield", "state": "IL", "country": "USA", "zip": "62701"}
COST = price("PAL101", "2024-05-22", "economy")
FULL = ("credit_card_4001", COST)
EXCHANGE, MODIFY = "exchange_delivered_order_items", "modify_pending_order_items"

AIRLINE = [
    [("get_user_details", {"user_id": "user_six_1006"}), ("get_reservation_details", {"reservation_id": "QZ0000"}), ("list_all_airports", {"all": True})],
    [("get_flight_status", {"flight_number": "PAL101", "date": f"2024-05-{day}"}) for day in (13, 14, 15, 16, 17, 18, 20)],
    [("get_flight_status", {"flight_number": "PAL999", "date": "2024-05-20"}), ("get_flight_status", {}), ("get_flight_status", {"flight_number": ["PAL101"], "date": 1})],
    [("search_direct_flight", {"origin": "SFO", "destination": "DEN", "date": day}) for day in ("2024-05-17", "2024-05-25", "2025-01-01", None, 20)],
    [("search_onestop_flight", {"origin": "SFO", "destination": "JFK", "date": day}) for day in ("2024-05-20", "2024-05-25", "May", None)],
    [seat(FULL, owner="nobody"), seat(FULL, number="PAL999"), seat(FULL, date="2024-06-01"), seat(FULL, date="2024-05-16"), seat(FULL, cabin="first")],
    [seat(FULL, number="PAL109", cabin="basic_economy"), seat(("credit_card_1", COST)), seat(("gift_card_5002", COST), owner=TWO), seat(("credit_card_4001", COST + 1))],
    [seat(("credit_card_4001", COST + 0.5)), seat(("credit_card_4001", float(COST))), seat(("credit_card_4001", str(COST))), seat(("credit_card_4001", True))],
    [seat(FULL), seat(FULL), seat(FULL), seat(FULL)],
    [seat(("certificate_6001", COST)), seat(("certificate_6001", COST))],
    [seat(("gift_card_5001", COST - 20), ("certificate_6001", 20)), ("get_user_details", {"user_id": ONE})],
    [seat(FULL, insurance="maybe"), seat(("credit_card_4001", COST + 25), bags=(1, 0.5)), seat(("credit_card_4001", COST + 30), insurance="yes")],
    [("cancel_reservation", {"reservation_id": "QZ0000"}), ("cancel_reservation", {"reservation_id": "QA1001"}), ("cancel_reservation", {"reservation_id": "QA1001"})],
    [("send_certificate", {"user_id": "nobody", "amount": 1}), *[("send_certificate", {"user_id": FOUR, "amount": amount}) for amount in (100, 99.5, 0, 7)]],
    [("send_certificate", {"user_id": FOUR, "amount": amount}) for amount in ("50", "x", None, True)],
    [bags("QZ0000", 1, "credit_card_4001"), bags("QA1001", 1, "credit_card_9"), bags("QA1001", 1, "certificate_6001"), bags("QB2002", 1, "gift_card_5002")],
    [bags("QA1001", 1, "gift_card_5001"), bags("QA1001", 0, "gift_card_5001"), bags("QA1001", 1.0, "credit_card_4001"), bags("QA1001", 1.5, "credit_card_4001"), bags("QA1001", "2", "credit_card_4001")],
    [moved("QZ0000"), moved("QA1001", number="PAL999"), moved("QA1001", date="2024-05-17"), moved("QA1001", date="2024-04-01"), moved("QA1001", number="PAL109", cabin="basic_economy")],
    [moved("QA1001", method="nothing"), moved("QA1001", method="certificate_6001"), moved("QB2002", cabin="business", method="gift_card_5002"), moved("QA1001", cabin="first"), moved("QA1001")],
    [moved("QC3001", number="PAL106", date="2024-05-25", method="gift_card_5003"), moved("QC3001", number="PAL101", date="2024-05-21", method="gift_card_5003")],
    [("update_reservation_passengers", {"reservation_id": name, "passengers": who}) for name, who in (("QZ0000", [guest(1)]), ("QA1001", []), ("QA1001", [{"first_name": "Guest"}]), ("QA1001", [guest(3)]))],
    [("transfer_to_human_agents", {}), ("transfer_to_human_agents", {"summary": 1}), ("calculate", {"expression": "COST"}), ("calculate", {"expression": 5}), ("fly", {})],
]
RETAIL = [
    [("find_user_id_by_email", {"email": each}) for each in ("user.9@example.com", "USER.3@EXAMPLE.COM", None, 5)],
    [("find_user_id_by_name_zip", {"first_name": "user", "last_name": "THREE", "zip": zip_code}) for zip_code in ("62703", "62704", 62703)],
    [("get_user_details", {"user_id": "nobody"}), ("get_order_details", {"order_id": "P1001"}), ("get_product_details", {"product_id": "7100001"}), ("get_item_details", {"item_id": "7100"})],
    [("get_order_details", {"order_id": f"#P10{at:02}"}) for at in range(1, 15)],
    [("list_all_product_types", {}), ("list_all_product_types", {"all": 1}), ("get_product_details", {"product_id": "7500"}), ("get_item_details", {"item_id": "7500001"})],
    [cancel("#P0"), cancel("#P1002"), cancel("#P1010"), cancel("#P1001", "too late"), cancel("#P1001", ["no longer needed"]), cancel("#P1003"), cancel("#P1003"), cancel("#P1008")],
    [lines(EXCHANGE, "#P0", [], [], "x"), lines(EXCHANGE, "#P1001", ["7100001"], ["7100002"], "credit_card_8001"), lines(EXCHANGE, "#P1005", ["7500001"] * 3, ["7500002"] * 3, "paypal_9002")],
    [lines(EXCHANGE, "#P1005", ["7100001"], ["7100002"], "paypal_9002"), lines(EXCHANGE, "#P1005", ["7500001"] * 2, ["7500002"], "paypal_9002"), lines(EXCHANGE, "#P1005", ["7500001"], ["7999999"], "paypal_9002")],
    [lines(EXCHANGE, "#P1005", ["7100004"], ["7100003"], "paypal_9002"), lines(EXCHANGE, "#P1005", ["7100004"], ["7100002"], "paypal_9001"), lines(EXCHANGE, "#P1014", ["7200002"], ["7200001"], "gift_card_5104")],
    [lines(EXCHANGE, "#P1005", ["7500001"] * 2, ["7500002", "7500001"], "gift_card_5102"), lines(EXCHANGE, "#P1005", ["7500001"], ["7500002"], "gift_card_5102")],
    [lines(EXCHANGE, "#P1002", ["7400001", "7300001"], ["7400002", "7300002"], "gift_card_5101"), lines(EXCHANGE, "#P1014", ["7100002"], ["7100004"], "gift_card_5104"), lines(EXCHANGE, "#P1002", "7400001", "7400002", "credit_card_8001"), lines(EXCHANGE, "#P1002", ["7400001"], ["7400002"], "gift_card_5101")],
    [lines(MODIFY, "#P0", [], [], "x"), lines(MODIFY, "#P1002", ["7400001"], ["7400002"], "credit_card_8001"), lines(MODIFY, "#P1010", ["7100002"], ["7100001"], "credit_card_8004")],
    [lines(MODIFY, "#P1001", ["7300001"], ["7300002"], "credit_card_8001"), lines(MODIFY, "#P1001", ["7100001"], [], "credit_card_8001"), lines(MODIFY, "#P1001", ["7100001"], ["7100001"], "credit_card_8001")],
    [lines(MODIFY, "#P1001", ["7100001"], ["7200001"], "credit_card_8001"), lines(MODIFY, "#P1001", ["7100001"], ["7100003"], "credit_card_8001"), lines(MODIFY, "#P1001", ["7100001"], ["7100002"], "paypal_9002")],
    [lines(MODIFY, "#P1013", ["7400001"], ["7400002"], "gift_card_5104"), lines(MODIFY, "#P1013", ["7100004"], ["7100001"], "gift_card_5104"), ("get_user_details", {"user_id": FOUR})],
    [lines(MODIFY, "#P1001", ["7100001", "7200001"], ["7100002", "7200003"], "credit_card_8001"), lines(MODIFY, "#P1006", ["7300002", "7300002"], ["7300001", "7300001"], "gift_card_5102"), lines(MODIFY, "#P1003", [], [], "credit_card_8001")],
    [back("#P0", [], "x"), back("#P1001", ["7100001"], "credit_card_8001"), back("#P1002", ["7400001"], "paypal_1"), back("#P1005", ["7500001"] * 3, "paypal_9002"), back("#P1009", ["7400002"], "paypal_9003")],
    [back("#P1014", ["7100002"], "credit_card_8004"), back("#P1014", ["7200002", "7100002"], "gift_card_5104"), back("#P1014", ["7200002"], "gift_card_5104"), back("#P1005", [], "gift_card_5102")],
    [paid_by("#P0", "x"), paid_by("#P1002", "gift_card_5101"), paid_by("#P1001", "x"), paid_by("#P1008", "paypal_9003"), paid_by("#P1001", "credit_card_8001"), paid_by("#P1001", "gift_card_5101"), paid_by("#P1013", "gift_card_5104")],
    [paid_by("#P1006", "gift_card_5102"), paid_by("#P1006", "paypal_9002"), paid_by("#P1003", "credit_card_8001"), ("get_user_details", {"user_id": ONE}), paid_by("#P1010", "gift_card_5104")],
    [("modify_pending_order_address", {"order_id": each, **PLACE}) for each in ("#P0", "#P1004", "#P1010", "#P1001")],
    [("modify_pending_order_address", {"order_id": "#P1001", **PLACE, "zip": 62701}), ("modify_user_address", {"user_id": "nobody", **PLACE}), ("modify_user_address", {"user_id": THREE, **PLACE, "address2": None}), ("modify_user_address", {"user_id": THREE, **PLACE})],
    [("transfer_to_human_agents", {"summary": ""}), ("transfer_to_human_agents", {"summary": "a", "more": "b"}), ("calculate", {}), ("sell", {})],
]
MOCK = [
    [("create_task", {"user_id": "user_9", "title": "x"}), ("create_task", {"user_id": "user_1"}), ("create_task", {"user_id": "user_1", "title": 5}), ("create_task", {"user_id": "user_1", "title": "é", "description": None})],
    [("update_task_status", {"task_id": each, "status": status}) for each, status in (("task_9", "pending"), ("task_1", "done"), ("task_1", None), (1, "pending"), ("task_1", "completed"))],
    [("get_users", {}), ("get_users", {"all": True}), ("assert_task_status", {"task_id": "task_1", "expected_status": "pending"}), ("check_notifications", {}), ("transfer_to_human_agents", {"summary": 1.0})],
]
SEQUENCES = [*[("airline", each) for each in AIRLINE], *[("retail", each) for each in RETAIL], *[("mock", each) for each in MOCK]]

"""Databases in tau2-bench's file formats, with records of our own: an airline, a shop, and a list of tasks."""

CABINS = ("basic_economy", "economy", "business")
NUMBERS = ("One", "Two", "Three", "Four", "Five")
# Number, origin, destination, departure, arrival.
ROUTES = (
    ("PAL101", "SFO", "DEN", "08:00:00", "11:30:00"),
    ("PAL102", "DEN", "JFK", "13:00:00", "18:30:00"),
    ("PAL103", "JFK", "DEN", "07:15:00", "09:45:00"),
    ("PAL104", "DEN", "SFO", "11:00:00", "12:40:00"),
    ("PAL105", "SFO", "JFK", "22:00:00", "06:30:00+1"),
    ("PAL106", "JFK", "SFO", "16:20:00", "20:00:00"),
    ("PAL107", "SFO", "DEN", "23:00:00", "02:10:00+1"),
    ("PAL108", "DEN", "SEA", "10:05:00", "12:00:00"),
    ("PAL109", "SEA", "SFO", "06:00:00", "08:10:00"),
    ("PAL110", "SFO", "SEA", "19:30:00", "21:40:00"),
)
PAST = {
    "2024-05-14": {"status": "landed", "actual_departure_time_est": "2024-05-14T08:02:00", "actual_arrival_time_est": "2024-05-14T11:20:00"},
    "2024-05-15": {"status": "flying", "actual_departure_time_est": "2024-05-15T08:00:00", "estimated_arrival_time_est": "2024-05-15T11:30:00"},
    "2024-05-16": {"status": "on time", "estimated_departure_time_est": "2024-05-16T08:00:00", "estimated_arrival_time_est": "2024-05-16T11:30:00"},
    "2024-05-17": {"status": "cancelled"},
    "2024-05-18": {"status": "delayed", "estimated_departure_time_est": "2024-05-18T10:00:00", "estimated_arrival_time_est": "2024-05-18T13:30:00"},
}
# Item: product, options, whether it is available, price.
ITEMS = {
    "7100001": ("7100", {"color": "white", "arm": "short"}, True, 39.9),
    "7100002": ("7100", {"color": "white", "arm": "long"}, True, 46.66),
    "7100003": ("7100", {"color": "black", "arm": "long"}, False, 48),
    "7100004": ("7100", {"color": "black", "arm": "short"}, True, 41.05),
    "7200001": ("7200", {"volume": "1 l", "material": "steel"}, True, 27.89),
    "7200002": ("7200", {"volume": "2 l", "material": "steel"}, True, 33.1),
    "7200003": ("7200", {"volume": "1 l", "material": "glass"}, True, 27.89),
    "7300001": ("7300", {"size": "small", "rain cover": "no"}, True, 64.2),
    "7300002": ("7300", {"size": "large", "rain cover": "yes"}, True, 89.99),
    "7300003": ("7300", {"size": "large", "rain cover": "no"}, False, 80),
    "7400001": ("7400", {"cable": "1.5 m", "ear pads": "leather"}, True, 110.25),
    "7400002": ("7400", {"cable": "none", "ear pads": "fabric"}, True, 149.5),
    "7500001": ("7500", {"width": "80 cm", "color": "naïve “grün”"}, True, 199),
    "7500002": ("7500", {"width": "120 cm", "color": "grey"}, True, 250.35),
}
PRODUCTS = {"7100": "Desk Lamp", "7200": "Kettle", "7300": "Backpack", "7400": "Headset", "7500": "Rug"}


def price(number, date, cabin):
    return 60 + int(number[-2:]) * 3 + int(date[-2:]) + 45 * CABINS.index(cabin) ** 2


def place(number):
    return {"address1": f"{number} Main Street", "address2": f"Floor {number}", "city": "Springfield", "country": "USA", "state": "IL", "zip": f"6270{number}"}


def person(number):
    return {"first_name": "User", "last_name": NUMBERS[number - 1]}


def user_id(number):
    return f"user_{NUMBERS[number - 1].lower()}_100{number}"


def card(number):
    return {"source": "credit_card", "id": f"credit_card_{number}", "brand": "visa", "last_four": str(number)}


def keyed(records, key):
    return {each[key]: each for each in records}


def flight(number, origin, destination, departure, arrival):
    dates = dict(PAST)
    for at in range(20, 26):
        date = f"2024-05-{at}"
        seats = {cabin: (int(number[-2:]) * (at - 17) + index) % 9 for index, cabin in enumerate(CABINS)}
        dates[date] = {"status": "available", "available_seats": seats, "prices": {cabin: price(number, date, cabin) for cabin in CABINS}}
    return {
        "flight_number": number, "origin": origin, "destination": destination,
        "scheduled_departure_time_est": departure, "scheduled_arrival_time_est": arrival, "dates": dates,
    }


def traveller(number, methods, membership, reservations):
    passengers = [{"first_name": "Guest", "last_name": NUMBERS[number - 1], "dob": f"1990-01-0{number}"}]
    return {
        "user_id": user_id(number), "name": person(number), "address": place(number), "email": f"user.{number}@example.com",
        "dob": f"1980-02-0{number}", "payment_methods": keyed(methods, "id"), "saved_passengers": passengers,
        "membership": membership, "reservations": reservations,
    }


def reservation(name, owner, cabin, legs, passengers, paid, bags=(0, 0), insurance="no", kind="one_way", **more):
    routes = {route[0]: route for route in ROUTES}
    flights = [
        {"flight_number": number, "origin": routes[number][1], "destination": routes[number][2], "date": date, "price": price(number, date, cabin)}
        for number, date in legs
    ]
    travellers = [{**person(owner), "dob": f"1980-02-0{owner}"}, {"first_name": "Guest", "last_name": NUMBERS[owner - 1], "dob": f"1990-01-0{owner}"}]
    total = sum(each["price"] for each in flights) * passengers + 50 * bags[1] + (30 * passengers if insurance == "yes" else 0)
    destination = flights[0]["destination"] if kind == "round_trip" else flights[-1]["destination"]
    return {
        "reservation_id": name, "user_id": user_id(owner), "origin": flights[0]["origin"], "destination": destination,
        "flight_type": kind, "cabin": cabin, "flights": flights, "passengers": travellers[:passengers],
        "payment_history": [{"payment_id": paid, "amount": total}], "created_at": "2024-05-10T09:30:00",
        "total_baggages": bags[0], "nonfree_baggages": bags[1], "insurance": insurance, **more,
    }


def gift(number, amount, field="amount"):
    return {"source": "gift_card", "id": f"gift_card_{number}", field: amount}


def airline():
    users = [
        traveller(1, [card(4001), gift(5001, 420.5), {"source": "certificate", "id": "certificate_6001", "amount": 150}], "regular", ["QA1001", "QA1002"]),
        traveller(2, [card(4002), gift(5002, 30)], "silver", ["QB2001", "QB2002"]),
        traveller(3, [gift(5003, 1000.0), card(4003)], "gold", ["QC3001", "QC3002"]),
        traveller(4, [card(4004)], "regular", ["QD4001"]),
        traveller(5, [card(4005), {"source": "certificate", "id": "certificate_6005", "amount": 75.25}], "gold", []),
    ]
    reservations = [
        reservation("QA1001", 1, "economy", [("PAL101", "2024-05-20"), ("PAL104", "2024-05-23")], 1, "credit_card_4001", kind="round_trip"),
        reservation("QA1002", 1, "basic_economy", [("PAL105", "2024-05-21")], 2, "gift_card_5001", bags=(2, 1)),
        reservation("QB2001", 2, "business", [("PAL110", "2024-05-24")], 1, "credit_card_4002", bags=(3, 0), insurance="yes"),
        reservation("QB2002", 2, "economy", [("PAL103", "2024-05-22"), ("PAL108", "2024-05-22")], 1, "gift_card_5002"),
        reservation("QC3001", 3, "economy", [("PAL106", "2024-05-25")], 2, "gift_card_5003", insurance="yes"),
        reservation("QC3002", 3, "economy", [("PAL101", "2024-05-17")], 1, "credit_card_4003"),
        reservation("QD4001", 4, "basic_economy", [("PAL109", "2024-05-23")], 1, "credit_card_4004", status="cancelled"),
    ]
    flights = [flight(*route) for route in ROUTES]
    return {"flights": keyed(flights, "flight_number"), "users": keyed(users, "user_id"), "reservations": keyed(reservations, "reservation_id")}


def product(name):
    variants = [
        {"item_id": item, "options": options, "available": available, "price": cost}
        for item, (owner, options, available, cost) in ITEMS.items() if owner == name
    ]
    return {"name": PRODUCTS[name], "product_id": name, "variants": keyed(variants, "item_id")}


def total(items):
    return round(sum(ITEMS[each][3] for each in items), 2)


def paid(kind, amount, method):
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method}


def order(name, owner, items, status, history, **more):
    lines = [
        {"name": PRODUCTS[ITEMS[each][0]], "product_id": ITEMS[each][0], "item_id": each, "price": ITEMS[each][3], "options": ITEMS[each][1]}
        for each in items
    ]
    sent = [] if status.startswith("pending") or status == "cancelled" else [{"tracking_id": [f"55{name[1:]}"], "item_ids": items}]
    payments = [paid("payment", total(items), history)] if isinstance(history, str) else history
    return {
        "order_id": name, "user_id": user_id(owner), "address": place(owner), "items": lines, "status": status,
        "fulfillments": sent, "payment_history": payments, **more,
    }


def orders():
    exchange = {"exchange_items": ["7200001"], "exchange_new_items": ["7200002"], "exchange_payment_method_id": "credit_card_8004", "exchange_price_difference": 5.21}
    back = {"return_items": ["7300001"], "return_payment_method_id": "credit_card_8004"}
    refunded = [paid("payment", 39.9, "paypal_9003"), paid("refund", 39.9, "paypal_9003")]
    modified = [paid("payment", 39.9, "credit_card_8004"), paid("payment", 6.76, "credit_card_8004")]
    return [
        order("#P1001", 1, ["7100001", "7200001"], "pending", "credit_card_8001"),
        order("#P1002", 1, ["7400001", "7300001"], "delivered", "credit_card_8001"),
        order("#P1003", 1, ["7200003"], "pending", "gift_card_5101"),
        order("#P1004", 2, ["7500001"], "processed", "paypal_9002"),
        order("#P1005", 2, ["7500001", "7500001", "7100004"], "delivered", "paypal_9002"),
        order("#P1006", 2, ["7300002", "7300002"], "pending", "paypal_9002"),
        order("#P1007", 3, ["7100001"], "cancelled", refunded, cancel_reason="no longer needed"),
        order("#P1008", 3, ["7100001", "7100002"], "pending", [paid("payment", 39.9, "paypal_9003"), paid("payment", 46.66, "credit_card_8003")]),
        order("#P1009", 3, ["7400002"], "delivered", []),
        order("#P1010", 4, ["7100002"], "pending (item modified)", modified),
        order("#P1011", 4, ["7200001"], "exchange requested", "credit_card_8004", **exchange),
        order("#P1012", 4, ["7300001"], "return requested", "credit_card_8004", **back),
        order("#P1013", 4, ["7400001", "7100004"], "pending", "gift_card_5104"),
        order("#P1014", 4, ["7100002", "7200002"], "delivered", "gift_card_5104"),
    ]


def retail():
    methods = {
        1: [card(8001), gift(5101, 60, "balance")],
        2: [{"source": "paypal", "id": "paypal_9002"}, gift(5102, 500.25, "balance")],
        3: [{"source": "paypal", "id": "paypal_9003"}, card(8003)],
        4: [card(8004), gift(5104, 12.5, "balance")],
    }
    known = orders()
    users = [
        {
            "user_id": user_id(number), "name": person(number), "address": place(number), "email": f"user.{number}@example.com",
            "payment_methods": keyed(own, "id"), "orders": [each["order_id"] for each in known if each["user_id"] == user_id(number)],
        }
        for number, own in methods.items()
    ]
    return {"products": {name: product(name) for name in PRODUCTS}, "users": keyed(users, "user_id"), "orders": keyed(known, "order_id")}


def mock():
    tasks = [
        {"task_id": "task_1", "title": "Water the plants", "description": "Both of them", "status": "pending"},
        {"task_id": "task_2", "title": "Sort the mail", "status": "completed"},
    ]
    users = [
        {"user_id": "user_1", "name": "User One", "tasks": ["task_1"]},
        {"user_id": "user_2", "name": "User Two", "tasks": ["task_2"]},
    ]
    return {"tasks": keyed(tasks, "task_id"), "users": keyed(users, "user_id")}


def mock_user():
    message = {"notification_id": "note_1", "message": "The plants are dry.", "status": "unread", "task_id": "task_1"}
    return {"notifications": {"note_1": message}}

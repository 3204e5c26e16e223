"""Ways of writing the values of each format, for webarena-verified.py beside this file."""

import random
import unicodedata

from unidecode import unidecode

rng = random.Random(20212)


def number(value):
    try:
        return float(str(value).replace(",", "").replace("$", ""))
    except ValueError:
        return 7.0


def seconds(value):
    from pytimeparse2 import parse

    return parse(str(value)) or 60


def metres(value):
    from pint import UnitRegistry

    return UnitRegistry()(str(value)).to("m").magnitude


def day(value):
    from dateutil.parser import parse

    return parse(str(value))


def near(value, share):
    return value * (1 + share)


text = str
WRITINGS = {
    "string": [
        lambda v: text(v).upper(), lambda v: f"  {v} ", lambda v: f'"{v}"', lambda v: f"'{v}.'", lambda v: f"{v}!",
        lambda v: f"the {v}",
        lambda v: text(v).replace(" ", "\u00a0"), lambda v: text(v).replace("-", "\u2013"),
        lambda v: text(v).replace("'", "\u2019"),
        lambda v: text(v).replace("e", "\u00e9"), lambda v: text(v).replace("o", "\u00f8"),
        lambda v: text(v) + "\u2122\U0001f600",
        lambda v: text(v).replace("a", "\uff41"), lambda v: text(v)[:-1], lambda v: None, lambda v: "",
        lambda v: [v, "x"], lambda v: [v],
        lambda v: {"value": v}, lambda v: text(v).replace(" ", "-"), lambda v: 12, lambda v: True,
        lambda v: text(v).replace(" ", "\u200b "),
        lambda v: text(v) + "\ud800", lambda v: "\ufeff" + text(v), lambda v: text(v).title(),
        lambda v: ",".join(text(v).split(" ")),
    ],
    "number": [
        lambda v: text(v), lambda v: f"{number(v):,.2f}", lambda v: number(v), lambda v: int(number(v)),
        lambda v: number(v) + 1,
        lambda v: f"{v} items",
        lambda v: ["zero", "one", "two", "three", "four", "five", "six", "seven"][int(number(v)) % 8],
        lambda v: "twenty-three", lambda v: None, lambda v: bool(number(v)), lambda v: f"+{v}", lambda v: f" {v} ",
        lambda v: "many",
        lambda v: [v, 3], lambda v: f"{v}.", lambda v: f"{number(v):e}", lambda v: "\u0663", lambda v: f"about {v}",
    ],
    "boolean": [
        lambda v: "yes" if v else "no", lambda v: text(v), lambda v: int(v), lambda v: not v, lambda v: "Y",
        lambda v: "off", lambda v: None,
        lambda v: 2, lambda v: 0.0, lambda v: "true.", lambda v: "", lambda v: " TRUE ", lambda v: [True, False],
        lambda v: [],
    ],
    "currency": [
        lambda v: f"${number(v):,.2f}", lambda v: f"{v} USD", lambda v: text(v), lambda v: number(v) + 0.1,
        lambda v: number(v) + 0.11,
        lambda v: f"{number(v):,.2f}".replace(",", " ").replace(".", ","), lambda v: f"US$ {v}", lambda v: -number(v),
        lambda v: f"-${v}",
        lambda v: f"{number(v):.2f}\u20ac", lambda v: "free", lambda v: f"between {v} and 9", lambda v: int(number(v)),
        lambda v: None,
        lambda v: f"{v}%", lambda v: [v, 1], lambda v: [1, v], lambda v: {"amount": v}, lambda v: f"\u00a3{v}",
        lambda v: True, lambda v: "n/a",
    ],
    "duration": [
        lambda v: f"{seconds(v) // 60} minutes", lambda v: f"{seconds(v)}s",
        lambda v: f"{seconds(v) / 3600:.2f} hours", lambda v: seconds(v),
        lambda v: f"{seconds(v) // 3600}:{seconds(v) % 3600 // 60:02d}:00",
        lambda v: f"{seconds(v) // 3600}:{seconds(v) % 3600 // 60:02d}",
        lambda v: f"{seconds(v) // 3600}:{seconds(v) % 3600 // 60:02d} hours",
        lambda v: f"{near(seconds(v), 0.09):.0f} sec",
        lambda v: f"{near(seconds(v), 0.12):.0f} sec", lambda v: f"{seconds(v) + 180}s",
        lambda v: f"{seconds(v) + 181}s", lambda v: f"about {v}",
        lambda v: f"{seconds(v) // 3600} hr, {seconds(v) % 3600 // 60} mins", lambda v: v.upper(), lambda v: f"-{v}",
        lambda v: text(seconds(v)),
        lambda v: f"{v} 5s", lambda v: None, lambda v: [v, "1 min"], lambda v: f"{seconds(v) // 60} minutes.",
        lambda v: f"{v}/1ms",
    ],
    "distance": [
        lambda v: f"{metres(v)} m", lambda v: f"{metres(v) / 1609.344:.2f} miles",
        lambda v: f"{metres(v) / 1000} kilometers", lambda v: metres(v),
        lambda v: f"{near(metres(v), 0.015):.1f}m", lambda v: f"{near(metres(v), 0.03):.1f} metres",
        lambda v: f"{metres(v) + 10} m",
        lambda v: f"{metres(v) + 11} m", lambda v: f"{metres(v) / 1000}k", lambda v: f"{metres(v):,.0f} m",
        lambda v: f"~{v}", lambda v: f"{v}.",
        lambda v: f"{metres(v) / 0.3048:.0f} ft", lambda v: f"about {v}", lambda v: f"{v} away", lambda v: None,
        lambda v: [v, "1m"],
        lambda v: v.upper(), lambda v: f"{metres(v) / 1000:.0f} kms", lambda v: f"{metres(v) / 0.9144:.1f} yards",
        lambda v: f"({v})",
    ],
    "date": [
        lambda v: day(v).strftime("%Y-%m-%d"), lambda v: day(v).strftime("%d %B %Y"),
        lambda v: day(v).strftime("%m/%d/%y"),
        lambda v: day(v).strftime("%b. %d, %Y"), lambda v: day(v).strftime("%d-%b-%Y"),
        lambda v: day(v).strftime("%B %dth,%Y"),
        lambda v: day(v).strftime("%Y%m%d"), lambda v: day(v).strftime("%A, %B %d, %Y %I:%M %p"),
        lambda v: day(v).strftime("%d/%m/%Y"),
        lambda v: day(v).strftime("%Y-%m-%dT%H:%M:%SZ"), lambda v: day(v).strftime("%B %Y"),
        lambda v: day(v).strftime("on %b %d %Y at 10:30"),
        lambda v: day(v).replace(day=9).strftime("%F"), lambda v: None, lambda v: 20230523,
        lambda v: [v, "2020-01-01"], lambda v: "yesterday",
    ],
    "month": [
        lambda v: text(v)[:3], lambda v: text(v).upper(), lambda v: day(f"1 {v} 2000").month,
        lambda v: f"{day(f'1 {v} 2000').month:02d}",
        lambda v: day(f"1 {v} 2000").strftime("%Y-%m"), lambda v: f"{v} 2022", lambda v: "Smarch", lambda v: 13,
        lambda v: 1.5, lambda v: None,
        lambda v: f"{v}.", lambda v: float(day(f"1 {v} 2000").month), lambda v: [v, "May"], lambda v: f"{v} 5th",
        lambda v: "",
    ],
    "coordinates": [
        lambda v: [float(v["latitude"]), float(v["longitude"])], lambda v: f"{v['latitude']}, {v['longitude']}",
        lambda v: {"lat": v["latitude"], "lon": float(v["longitude"])},
        lambda v: {"lat": v["latitude"], "lng": v["longitude"]},
        lambda v: f"{v['longitude']}, {v['latitude']}", lambda v: {"latitude": v["latitude"]},
        lambda v: {"x": 1, "y": 2}, lambda v: None,
        lambda v: {"latitude": float(v["latitude"]) + 9e-6, "longitude": v["longitude"]},
        lambda v: [v["latitude"], v["longitude"]],
        lambda v: {"latitude": float(v["latitude"]) + 2e-5, "longitude": v["longitude"]},
        lambda v: f"{v['latitude']}N {v['longitude']}W",
        lambda v: f"Point at {v['latitude']};{v['longitude']}",
        lambda v: {"Lat": v["latitude"], "LONG": v["longitude"]}, lambda v: 40.4,
    ],
    "url": [
        lambda v: v.replace("git@__SSH_HOST__:", "ssh://git@gitlab.test:2222/"),
        lambda v: v.replace("__SSH_HOST__", "gitlab.test"),
        lambda v: v.upper(), lambda v: v.replace("git@__SSH_HOST__:", "http://gitlab.test:8023/"), lambda v: v + "/",
        lambda v: v + "x",
        lambda v: v.replace("__SSH_HOST__:", "host:2222/"), lambda v: v.replace("git@", "user@"),
        lambda v: f"git clone {v}", lambda v: None,
        lambda v: v.replace("git@__SSH_HOST__:", "ssh://host/"), lambda v: v.replace(":", ":/"), lambda v: 5,
        lambda v: [v, "x"],
    ],
    "location-name": [
        lambda v: " ".join(reversed(v.split(" "))), lambda v: v.lower(), lambda v: v[: int(len(v) * 0.8)],
        lambda v: v[: int(len(v) * 0.6)],
        lambda v: v.replace("Hotel", ""), lambda v: f"The {v}", lambda v: f"{v}, Pittsburgh",
        lambda v: v.replace("a", "e"), lambda v: v[2:],
        lambda v: f"{v} (hotel)", lambda v: "", lambda v: None, lambda v: "!!!", lambda v: [v, "x"],
        lambda v: v.replace(" ", "_"), lambda v: 5,
        lambda v: v.replace("i", "\u00ef"), lambda v: f"{v} {v}",
        lambda v: v[: len(v) // 2] + "x" * (len(v) // 5) + v[len(v) // 2 :],
    ],
}
WRITINGS["integer"] = WRITINGS["number"]

def writings(text):
    return text.replace("\n", "|").split("|")


DATES = writings("""2022-03-02|2022/3/2|2022.03.02|20220302|220302|03/02/2022|3/2/22|3-2-2022|02.03.2022|Mar 2 2022
2 Mar 2022|Mar-02-2022|Mar/2/22|2-Mar-22|2mar2022|March 2nd, 2022|2nd of March 2022|2nd March, 2022|March of 2022
March 2022|2022 March 2|2022 2 March|Wednesday, March 2, 2022|Wed Mar 2 2022|Mar. 2, 2022|March 2,2022
2022-03-02T10:30|2022-03-02T10:30:15Z|2022-03-02T10:30:15.123456+01:00|2022-03-02 10:30 PM|2022-03-02 22h30
2022-03-02 10 am|10:30 2022-03-02|20220302T103015|20220302103015|202203021030|3/2/2022, 10:30:15 PM|2022-03-02 25:00
2022-03-02 10:61|2022-13-02|2022-02-30|30/2/2022|02/03/22|2 3 2022|3 2 2022|2022 3 2|2022 03 02|march 2 '22
'22 march 2|2/2022|3/2022|2022|march|2|Wednesday|today|2 march|march 2|March 2, 2022 at 10:30|on March 2, 2022
March 2 and 2022|Date: March 2, 2022|(March 2, 2022)|March 2, 2022.|2022-3-2-1|1 2 3 4|March 2, 22|0022-03-02
2022-03-02Z|2022-03-02 10:30 UTC|2022-03-02 10:30 z|2022-03-02 10:30 -0500|2022-03-02 10:30-05|2022-03-02 10:30 +5
2022-03-02 10:30 GMT+3|2022-03-02 10:30 z+3|2022-03-02 1030|2022-03-02 10|2022-061|2022-W09-3|1646179200|2022-03-02T
2022-03-|2022-03-02 -|--2022-03-02|2022--03-02|2022/03-02|2022-03/02|02/03-2022|March 02 2022 March|Mar 2 Mar 2022
2022 2022-03-02|3/2/2022/5|sept 2 2022|september 2 2022|sep 2 2022|Septe 2 2022|2 jan 99|12/31/1999|31/12/1999
13/12/11|11/12/13|12 am 2022-03-02|2022-03-02 13 pm|2022-03-02 0 am|2022-03-02 10.5h|2022-03-02 10h 5m 3s|5.5.2022
March 2.5 2022|2022.5|10.11.12|10.11.12.13|2022-03-02 10:30:15,5|2022-03-02 10:30:15.5.5|2022-03-02,|, 2022-03-02
2022-03-02 \u00a0|m\u00e4rz 2 2022|2022\u201303\u201302|2\u00aa March 2022|\uff12\uff10\uff12\uff12-03-02""")

DURATIONS = writings("""1h35m|1 h 35 m|1hr 35min|1 hour, 35 minutes|1 hour / 35 minutes|95m|95 min|95 mins|95 minutes
5700s|5700 secs|5700 seconds|1.5833 hours|1:35:00|01:35:00|1:35|95:00|1:35 hours|1:35 hour|1:35h|0:01:35:00|1d|1 day
1 dy|0w 0d 1h 35m|1h35|1h 35|35m 1h|1 hour and 35 minutes|one hour|about 95 min|95|95.0|5700|1e3|inf|nan|-95m|- 95 m
+95m|+ 95 m|+ 95|| 95m|95 m 0 s 0 ms|95m0s|1h,35m|1h, 35m,|1h//35m|1.2.3 hours|1.2.3 weeks|.5h|1.h|5700000ms
5700000 msecs|5700000 millis|5700000 milliseconds|1y|1 yr|1 yrs.|1 year 2 months|1mo|1 mth|2 mos.|:30|:30.5|1:35:00.5
100:35:00|1:95:00|1:5:00|1w 1:35:00|1 day, 1:35:00|1 day 1:35|1H35M|1 HOUR|1 hrs 35 minutess|1hour35minutes|1h-35m
1-hour|95-minutes|95 min.|95 min (1.2 km)|95 min, |95 min /|  95   min  |9\u00a05 min|95\u200bmin|\u0031h
99999999999 h|999999999999999 weeks|0 min|0|1 h 35 min 10 s 5 ms|1m 35h""")

DISTANCES = writings("""5 km|5km|5.0 km|5,000 m|5000m|5000 meters|5000 metres|5000 meter|5 kilometers|5 kilometres
5 kilometre|5 KM|5 Km|3.1 mi|3.1 mile|3.1 miles|3.10686 miles|16404 ft|16404.2 feet|1 foot|5468 yards|5468 yd
196850 in|196850 inches|500000 cm|5e3 m|5e0 km|.5e1km|5.km|5|5.0|k|km|5 k|5k|5.0k|5K|5 kms|5 kmh|5 km/h|5 km.|~5 km
<5 km|> 5km|(5 km)|5 km!|+5 km|-5 km|about 5 km|5 km away|5 km 300 m|5 miles (8 km)|5 to 6 km|5-6 km|5 nmi
2.7 nautical_mile|1 league|25 furlong|5000000 mm|5 dm|50 hm|0.005 Mm|5000000000 um|5 min|5 ms|5 s|5 kg|5 liters|5 m^2
5 m2|5_000 m|5'000 m|5 000 m|5 metrs|5 kilo meters|5-km|5\u00a0km|5\u2009km|five km|5 km?|5 km;|$5 km|5* km
0.00000000000000053 ly|5 hands|4,98 km|4.9 km|5.1 km|5.11 km|5.102 km|5.103 km|4990 m|4989 m|4899 m|inf km|-inf km
1e400 km|infinity m|3 mi + 1000 ft|10/2 km|km 5|5 1 km|05 km|((5 km))""")

CURRENCIES = writings("""1234.5|$1234.50|$1,234.50|1,234.50 USD|USD 1,234.50|1.234,50|1 234,50 \u20ac|\u20ac1.234,50
1234,5|1,234,5|1,234.5.0|1'234.50|$1234.6|$1234.59|$1234.61|1234.4|1234.39|-1234.5|-$1,234.50|$-1234.50|($1,234.50)
1234.5-|about $1,234.50|$1,234.50 per item|2 for $1,234.50|1234.50%|100% 1234.5|1234|1,234|1.234|12345e-1
1234.500000001|1234.49999|free|Free shipping|none|$|.5|$.5|1234.5.|1234.5,|,1234.5|1234 .5|1 2 3 4.5|\u00a31234.5
\u00a5 1234.5|1234.5 kr|Rs. 1234.5|Rs 1,234.5|US$1234.5|1234\u20ac50|1234\u20ac 50|1234.5 \u20bd|\uff11234.5
1234\u00bd|1234.5 1234.5|0001234.5|1_234.5|1234.5k|1.2345e3|NaN|inf|1234,50 $|1.234.5|12.345,0|1,234,500
1234.50 - 1300|1234.50\u20131300""")

NUMBERS = writings("""23|23.0|+23|23.|2 3|2,3|0023|23e0|2.3e1|2_3|2__3|twenty three|twenty-three|Twenty Three
twenty and three|about twenty three|three twenty|23 items|#23|23%|$23|xxiii|0x17|inf|-Infinity|nan|two hundred
one hundred twenty three|one hundred and twenty-three|hundred twenty three|twenty three point zero
twenty three point five|point five|twenty two point ten|two thousand three|three million two thousand|thousand million
two two|million|a thousand|thousand|two million three thousand four hundred five|twenty three thousand
one two three four five|nineteen four|zero|null|none|true|\u06622|\u00b2\u00b3|\uff12\uff13|23\u00a0|2\u20093|23 .
- 23|-23|--23|2.3.0|1e400|.23e2|23f|(23)|23!|=23|billion two
two billion three million four thousand five hundred sixty seven""")

MONTHS = writings("""March|march|MAR|Mar|Mar.|3|03|003|+3|-3|0|12|13|3.0|March 2022|March, 2022|2022-03|2022/03
03/2022|3/2022|03-2022|2022-03-15|March 31|31 March|March 32|15/3|3/15|Mars|Marc|in March|March and April|March/April
Q1|monday|10:30|30|31|2022|february 30|  march  |m\u00e4r|march!|'march'|March (3)|1_2""")

POINTS = writings("""40.4424191, -79.9397388|40.4424191,-79.9397388|40.4424191 -79.9397388|40.4424191;-79.9397388
40.4424191/-79.9397388|+40.4424191, -79.9397388|(40.4424191, -79.9397388)|lat 40.4424191, lon -79.9397388
40.4424191\u00b0 -79.9397388\u00b0|40.4424191N 79.9397388W|40.4424191* -79.9397388*
40 26' 32.70876", -79 56' 23.05968"|40 26m 32.70876s -79 56m 23.05968s|40.44242, -79.93974|40.44243, -79.93974
40.4424,-79.9397|-79.9397388, 40.4424191|40.4424191, 280.0602612|40.4424191, -79.9397388, 5 km
40.4424191, -79.9397388, 5|90.1, 0|40.4424191,\u2212 79.9397388|40,4424191 -79,9397388|40.4424191|a b
1 40.4424191 -79.9397388|40.4424191  ,  -79.9397388""")

PLACES = writings("""DoubleTree by Hilton Hotel|Hilton DoubleTree Hotel|DoubleTree Hilton|DoubleTree by Hilton
Double Tree by Hilton Hotel|doubletree-by-hilton hotel|Hotel|Hilton Hotel DoubleTree by
DoubleTree by Hilton Hotel Pittsburgh|DoubleTree by Hilton Hotel Pittsburgh Airport
D\u00f4ubleTree by Hilt\u00f6n H\u00f4tel|DoubleTree by Hilton Hotell!!|Sheraton||!|DoubleTree
doubletree_by_hilton_hotel|Doubletre by Hiltn Hotl|Dubletree Hilton Hotel|by by by DoubleTree Hilton Hotel
DoubleTree by Marriott Hotel|DoubleTree, by Hilton; Hotel.|\u0414oubleTree by Hilton Hotel""")

TEXTS = writings("""Caf\u00e9-Bar No. 5|cafe bar no. 5|CAFE BAR NO. 5.|'Cafe-Bar No. 5'|Cafe\u2013Bar No. 5
Cafe \u2014 Bar No. 5|Cafe\u2014Bar No. 5|Cafe  Bar\tNo.\n5|Cafe\u0301-Bar No. 5|Caf\u00e9\u2122-Bar No. 5|\ufb01
Cafe Bar No. 5!|Cafe Bar No 5|Cafe Bar No. \u2464|Cafe Bar \u2116 5|Cafe\u00adBar No. 5|cafe\u2212bar no. 5
Cafe-Bar No. \u0665|Cafe bar no. 5 \U0001f600|\u201cCafe bar No. 5\u201d|Cafe bar no. 5...|?Cafe bar no. 5;:
Cafe bar no. 5 .|_Cafe bar no. 5|Cafe\u2010Bar\u00a0No.\u20075|C\u0430fe Bar No. 5|cafe/bar no. 5|CAF\u00c9 BAR NO. 5
cafe bar no. 5\u0000|cafe\u200bbar no. 5|cafe bar no. 5\u2028|^.*$|^caf.*5$|^Cafe Bar No. 5$|^$""")

LETTERS = [chr(code) for code in [*range(0xA1, 0x180), *range(0x1E00, 0x1EF9), *range(0x2010, 0x2044), 0x20AC, 0x2116,
    0x2122, 0x2212]]
MARKDOWN = "# Title\n\n- [a link](http://gitlab.test:8023/x)\n- two"

PROBES = [
    ("date", "March 2, 2022", DATES), ("duration", "95 min", DURATIONS), ("distance", "5km", DISTANCES),
    ("currency", 1234.5, CURRENCIES),
    ("number", 23, NUMBERS), ("number", 2001003, NUMBERS), ("number", 0.5, NUMBERS), ("month", "March", MONTHS),
    ("month", 1, MONTHS),
    ("coordinates", {"latitude": "40.4424191", "longitude": "-79.9397388"}, POINTS),
    ("location-name", "DoubleTree by Hilton Hotel", PLACES),
    ("string", "Caf\u00e9-Bar No. 5", TEXTS),
    ("currency", -5, ["-5", "-$5", "(5)", "\u22125", "5", -5, -5.05, -4.9, "- 5"]),
    ("string", "http://gitlab.test:8023/a",
        ["__GITLAB__/a", "__gitlab__/a", "http://gitlab.test:8023/a/", "HTTP://gitlab.test:8023/a",
            "see http://gitlab.test:8023/a"]),
    ("boolean", True, [True, 1, 1.0, 2, "1", "yes", "YES ", "on", "t", "truth", 0, False, "no", None, "", []]),
    ("boolean", False, [False, 0, 0.0, "0", "no", "N", "f", "off", None, "", [], {}, "none", -1]),
    ("string_list", "a, c,b", ["a,b,c", "c, b ,a", "A,B,C", "a,b", "a,b,c,", ",,a,b,c", "", ["a", "b"], 5, "a b c"]),
    ("json", '{"b": [1, 2.0], "a": "X"}',
        ['{"a":"x","b":[1,2.0]}', '{"a":"x","b":[1,2]}', '{"a":"x","b":[2.0,1]}', "{}", "[", 5,
            '{"B":[1,2.0],"A":"x"}', ' {"b": [1, 2.00], "a": "x"} ', {"a": "x"}]),
    ("markdown", MARKDOWN,
        [MARKDOWN, MARKDOWN.replace("-", "*"), MARKDOWN.replace("\n", "\r\n"), MARKDOWN.replace("- ", "    +   "),
            MARKDOWN.replace("# T", "#   T"), MARKDOWN.replace("\n\n", "\n\n\n\n\n"), MARKDOWN.replace("\n\n", "\n"),
            MARKDOWN.replace(" ", "  "), MARKDOWN.replace("a link", "a\n   link"),
            MARKDOWN.replace("a link", " a  link "), MARKDOWN.replace("(h", "( h").replace("x)", "x )"),
            MARKDOWN.lower(), MARKDOWN + "\n", MARKDOWN + "  \n\t", MARKDOWN.replace("\n", " \t\n"),
            MARKDOWN.replace("# ", "#"), MARKDOWN.replace("[a", "[[a"), MARKDOWN.replace("]", "]]"), 5, "", None]),
    ("markdown", "[a\nb](u)[c](v)\n[d\n\n e](w)(  )",
        ["[a b](u)[c](v)\n[d e](w)( )", "[a b](u)[c](v)\n[d e](w)()", "[a\n b](u)[ c ](v)\n[d  e]( w )(\n)",
            "[a b]( u)[c](v)\n\n[d e](w)( )"]),
    ("base64", "TUlUIExpY2Vuc2U=",
        ["^.*$", "TUlUIExpY2Vuc2U=", " TUlUIExpY2Vuc2U=\n", "TUlUIExpY2Vuc2UK", "TUlUIExpY2Vuc2U", "MIT License",
            "bWl0IGxpY2Vuc2U=", "/w==", "", 5]),
    ("base64", "^MIT.*e$", ["TUlUIExpY2Vuc2U=", "TUlUCnRoZQ==", "bWl0IGxpY2Vuc2U=", "MIT License"]),
    ("url", "http://gitlab.test:8023/a/b?x=1&y=2#f",
        ["^.*$", "http://gitlab.test:8023/a/b?y=2&x=1#f", "HTTP://GITLAB.test:8023/A/b?x=1&y=2#f",
            "http://gitlab.test:8023//a/./b/?x=1&y=2#f", "gitlab.test:8023/a/b?x=1&y=2#f",
            "http://gitlab.test:8023/a/b?x=1#f", "http://gitlab.test:8023/a/b?x=1&y=2", "__GITLAB__/a/b?x=1&y=2#f",
            "http://gitlab.test:8023/%61/b?x=%31&y=2#f", "http://gitlab.test:8023/a/c/../b?x=1&y=2#f",
            "http://gitlab.test:8023/a/b?x=1&y=2&#f", "https://gitlab.test:8023/a/b?x=1&y=2#f",
            "http://reddit.test/a/b?x=1&y=2#f", "", 5, "http://[", "http://gitlab.test:8023/a/b?x=1;y=2#f"]),
    ("string", "^#?\\s*0*170$",
        ["170", "#170", "# 0170", "'170'", "170.", 170, "1700", "A170", "# 170", "#  \t170", 170.0]),
    ("string", "^(a|b)c{2,3}[^d-f]\\.(?:x y)?$",
        ["accg.", "BCCC1.X Y", "acg.", "acccc.", "accd.", "accg.x y", "accgx", "accg.\n", "ACC\u00c9."]),
    ({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "array", "items": {"type": "string"}}}},
        {"a": 1, "b": ["x", ["y", "z"]]}, [
        {"a": 1, "b": ["x", "y"]}, {"a": "1", "b": ["Z", "x"]}, {"b": ["x", "z"], "a": 1.0}, {"a": 1, "b": ["x"]},
        {"a": 1, "b": '["x", "y"]'}, '{"a": 1, "b": ["x", "y"]}',
        {"a": 1}, {"a": 1, "b": ["x", "y"], "c": 0}, {"a": 1, "b": None}, {"a": [1, 2], "b": ["x", "y"]},
        {"a": 1, "b": [["x", "y"], ["y", "x"]]}, [{"a": 1, "b": ["x", "y"]}], None, "x", 5, [],
        {"a": 1, "b": {"x": "y"}}, {"a": {"a": 1}, "b": ["x", "y"]}, {"a": True, "b": ["x", "y"]},
    ]),
]
PROBES += [("string", f"a{letter}b", [f"a{spelling}b" for spelling in spellings]) for letter, spellings in [
    *[(letter, [unidecode(unicodedata.normalize("NFKC", letter))]) for letter in LETTERS],
    ("\u2192", ["->", ""]), ("\u0414", ["D", "\u0414"]), ("\u4e2d", ["Zhong ", "\u4e2d"]), ("\u0661", ["1"]),
    ("\U0001f916", [""]),
]]

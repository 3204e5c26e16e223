/** Attributes that only the user has. */
import type { Attribute } from "./attribute.js";

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const times = ["9:30", "10:15", "17:45", "18:30", "19:15", "20:00"];

/** Returns `count` integers. The first number is `from`, and each following number is larger by `by`. */
function numbers(from: number, by: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + by * at);
}

/** Returns an amount such as "€4,200". `toLocaleString` would cost every start 10 ms, in which Node loads its locales. */
function euros(amount: number): string {
  return `€${String(amount).replace(/\B(?=(\d{3})+$)/g, ",")}`;
}

export const ownAttributes: readonly Attribute[] = [
  {
    topic: "employer",
    title: "the user's employer",
    values:
      "Northlight Labs,Harbour & Pine,Quillfeather,Stonebrook Care,Vantage Mills,Larkspur Foods,Blue Lantern,Osprey Transit,Fernwood Trust,Copper Kettle,Tidewater Press,Marigold Health,Ironbark Energy,Paperboat Studio,Summit Cooperative,Willow & Wren".split(
        ",",
      ),
    first: [
      "The firm I'm with is called {v}, in case you need it for the letterhead.",
      "I'm employed at {v}, second floor, next to the printers.",
    ],
    change: [
      "I've signed with {v}, and yesterday was my first day there.",
      "Goodbye {old}: I've switched to {v}, better pay and a shorter ride.",
      "{v} hired me! I've been on their payroll since the beginning of the week.",
    ],
    correct: [
      "I gave you the wrong company name. I'm at {v}; {wrong} is only a client of ours.",
      "Small correction for the letterhead: the firm is {v}, {wrong} was a slip.",
    ],
    idea: [
      "A recruiter from {v} wrote to me. I said no, thank you.",
      "I had an interview at {v}, and they took somebody else.",
    ],
    now: ["Which company do I work for now?", "Who is my employer at the moment?"],
    at: ["Which company did I work for on {date}?", "Who was my employer on {date}?"],
    replies: ["{v}, got it. I hope the colleagues are kind.", "Understood, I'll use that name in your documents."],
  },
  {
    topic: "rent",
    title: "the user's rent",
    values: numbers(610, 25, 30).map((amount) => `€${amount}`),
    first: ["My rent is {v} a month, heating not included.", "I pay {v} a month for the flat, so the budget is tight."],
    change: [
      "The landlord has written: from today the rent is {v} a month.",
      "I talked to the landlord and the rent has been changed to {v}.",
      "My rent was {old} until yesterday, and today it became {v}.",
    ],
    correct: [
      "I gave you the wrong rent: it's {v}, the {wrong} was for two garages as well.",
      "I read the contract again. The rent is {v}, not {wrong}.",
    ],
    idea: [
      "I saw a flat for {v} a month. It was gone within an hour.",
      "The neighbours say their place would go for {v}. Not my problem.",
    ],
    now: ["How much is my monthly rent now?", "What rent do I pay at the moment?"],
    at: ["How much was my monthly rent on {date}?", "What rent was I paying on {date}?"],
    replies: ["Thanks, I'll use that in the budget table.", "Rents are a sore subject everywhere. Noted."],
  },
  {
    topic: "coffee",
    title: "the user's usual coffee",
    values:
      "oat flat white,double espresso,decaf cappuccino,cold brew,cortado,Americano,mocha,macchiato,iced latte,almond cappuccino,ristretto,Vietnamese iced coffee,vanilla latte,affogato,lungo,filter coffee".split(
        ",",
      ),
    first: ["My usual is {a v}, one in the morning, one after lunch.", "I can't start without my {v}."],
    change: [
      "My doctor wasn't amused, so my usual is {a v} now.",
      "I've gone off my {old}. What I order these days is {a v}.",
      "The new café has converted me: it's {a v} every morning now.",
    ],
    correct: [
      "I said my usual was {a wrong}. That is what my partner drinks, mine is {a v}.",
      "Wrong cup! I drink {a v}, not {a wrong}.",
    ],
    idea: [
      "They talked me into {a v} yesterday. Never again.",
      "I thought about {a v} for a change, but stayed with my usual.",
    ],
    now: ["What is my usual coffee order now?", "Which coffee should you order for me?"],
    at: ["What was my usual coffee order on {date}?"],
    replies: ["A good ritual. Drink a glass of water with it.", "Sounds tasty. I'll remember it."],
  },
  {
    topic: "tenk",
    falls: true,
    title: "the user's best time over 10 km",
    values: numbers(41, 1, 18).flatMap((minute) => [
      `${minute}:${((minute * 7) % 50) + 10}`,
      `${minute}:${((minute * 7 + 25) % 50) + 10}`,
    ]),
    first: ["My best time over ten kilometres is {v}.", "I ran the ten kilometres in {v}, my personal best so far."],
    change: [
      "New personal best over ten kilometres: {v}!",
      "I raced yesterday. With the proper measuring, my best over ten kilometres stands at {v} now.",
      "The old {old} is history. My ten-kilometre best is {v}.",
    ],
    correct: [
      "The organisers corrected the results: my best over ten kilometres is {v}, not {wrong}.",
      "I misread my watch. It's {v} for the ten kilometres, not {wrong}.",
    ],
    idea: [
      "My dream would be {v} over ten kilometres. Far away.",
      "A colleague claims {v} over ten kilometres. I doubt it.",
    ],
    now: ["What is my personal best over ten kilometres?", "What is my best time on ten kilometres by now?"],
    at: ["What was my personal best over ten kilometres on {date}?"],
    replies: ["Well run! Give the legs two easy days.", "That is a solid pace. What is next?"],
  },
  {
    topic: "restaurant",
    title: "the user's favourite restaurant",
    values:
      "The Copper Ladle,Casa Violeta,Blue Anchor,Saffron Yard,Little Hanoi,The Mill House,Trattoria Nino,Kumquat,Old Ferry Inn,Smoke & Barley,Green Lantern,Chez Odette,The Pantry,Olive & Ash,Noodle Bar 88,Tandoor Lane".split(
        ",",
      ),
    first: [
      "My favourite restaurant is {v}, we go there for every birthday.",
      "If anyone asks, the best place to eat in town is {v}.",
    ],
    change: [
      "{old} has a new cook, and it shows. My favourite restaurant is {v} now.",
      "We've found a new favourite restaurant: {v}.",
      "Since the renovation, {v} has become my favourite place to eat.",
    ],
    correct: [
      "I mixed up two names: my favourite is {v}, and {wrong} is the one with the rude waiter.",
      "My favourite restaurant is {v}. I wrote {wrong}, no idea why.",
    ],
    idea: [
      "Everybody raves about {v}. I was there once and found it dull.",
      "We wanted to try {v}, but it was fully booked.",
    ],
    now: ["What is my favourite restaurant now?", "Which restaurant is my favourite at present?"],
    at: ["What was my favourite restaurant on {date}?"],
    replies: ["That makes choosing easy. What do you order there?", "I'll remember {v} for the next birthday."],
  },
  {
    topic: "pottery",
    title: "the time of the user's pottery class",
    values: weekdays.flatMap((day) => times.map((time) => `${day} at ${time}`)),
    first: ["My pottery class is on {v}.", "I've joined a pottery class, it's every {v}."],
    change: [
      "They've moved my pottery class, it's on {v} now.",
      "The studio has a new timetable: pottery is every {v} from this week.",
      "Pottery is no longer on {old}. The new time is {v}.",
    ],
    correct: [
      "I told you the wrong time for pottery: it's {v}, not {wrong}.",
      "Pottery is on {v}. The {wrong} I gave you is the drawing group.",
    ],
    idea: [
      "They asked whether {v} would suit us for pottery. We all said no.",
      "There was talk of shifting pottery to {v}, but it stays as it is.",
    ],
    now: ["When is my pottery class?", "On which day and at what time is my pottery class now?"],
    at: ["At the time of {date}, when was my pottery class?"],
    replies: ["Good, I'll keep that evening in mind.", "Clay is wonderful for tired heads. Enjoy."],
  },
  {
    topic: "novel",
    title: "the working title of the user's novel",
    values:
      "The Salt Ledger,Winter Orchard,A House of Tides,The Ninth Bell,Paper Rivers,The Quiet Mapmaker,Ashes of June,The Glass Ferry,Borrowed Light,The Moth Season,Under Slate,Seven Lanterns,The Long Ebb,Hollow Harvest,The Cartographer's Son,Thistle and Iron".split(
        ",",
      ),
    first: [
      "The novel I'm writing has a working title: {v}.",
      "I'm writing a novel in the evenings, it's called {v} for the moment.",
    ],
    change: [
      "I've renamed the novel. The working title is {v} now.",
      "My writing group disliked {old}, so the novel goes by {v} from now on.",
      "After chapter twelve the title no longer fitted, and my novel is now called {v}.",
    ],
    correct: [
      "The working title is {v}. I wrote {wrong}, which is the name of a chapter.",
      "Sorry, wrong file: my novel is called {v}, not {wrong}.",
    ],
    idea: [
      "For a moment I wanted to call the novel {v}, but it sounds like a perfume.",
      "My editor suggested {v} as a title for the novel. I turned it down.",
    ],
    now: ["What is the working title of my novel?", "What is my novel called at the moment?"],
    at: ["What was the working title of my novel on {date}?"],
    replies: [
      "That title makes me curious. How far along are you?",
      "A title with weather in it, or nearly. I like it.",
    ],
  },
  {
    topic: "bedroom",
    title: "the colour of the user's bedroom",
    values:
      "sage green,terracotta,navy blue,mustard yellow,lavender,ivory,charcoal,coral,mint,plum,sky blue,sand,burgundy,teal,apricot,olive".split(
        ",",
      ),
    first: ["My bedroom walls are {v}, and the sheets should match.", "I have {v} walls in the bedroom."],
    change: [
      "We spent the weekend painting, and the bedroom is {v} now.",
      "I couldn't stand the {old} any longer. The bedroom walls are {v} now.",
      "Three coats later, my bedroom is {v}.",
    ],
    correct: [
      "The colour on the tin says {v}, so my bedroom isn't {wrong} as I told you.",
      "I described the bedroom wrongly: the walls are {v}, {wrong} is the hall.",
    ],
    idea: [
      "I bought a sample pot of {v} for the bedroom and hated it.",
      "The magazine shows bedrooms in {v}. Not for me.",
    ],
    now: ["What colour are my bedroom walls?", "What colour is my bedroom now?"],
    at: ["What colour were my bedroom walls on {date}?"],
    replies: ["A restful colour. Warm lamps will suit it.", "I can picture it. Linen in white would go well."],
  },
  {
    topic: "kitchen",
    title: "the budget for the user's kitchen",
    values: numbers(4_200, 350, 28).map(euros),
    first: [
      "We've set the budget for the new kitchen at {v}.",
      "The new kitchen may cost {v}, that is what we agreed on.",
    ],
    change: [
      "The budget for the kitchen has changed, we settled on {v}.",
      "After the second quote, the kitchen budget is {v} instead of {old}.",
      "We sat down with the bank, and the kitchen budget is {v} now.",
    ],
    correct: [
      "I typed the wrong number for the kitchen: the budget is {v}, not {wrong}.",
      "The {wrong} I gave you included the floor. The kitchen budget is {v}.",
    ],
    idea: [
      "A studio wanted {v} for the kitchen. We laughed and left.",
      "With {v} for the kitchen we could have had marble. We can't.",
    ],
    now: ["What is the budget for our new kitchen?", "How much have we set aside for the kitchen by now?"],
    at: ["What was the budget for our kitchen on {date}?"],
    replies: ["Keep a tenth of it back for surprises.", "Thanks, I'll compare offers against that figure."],
  },
  {
    topic: "locker",
    title: "the number of the user's locker",
    values: numbers(103, 17, 40).map(String),
    first: [
      "My locker at the pool is number {v}, and I always forget it.",
      "Remember this for me: the pool gave me locker {v}.",
    ],
    change: [
      "They've replaced the lockers at the pool. Mine has the number {v} now.",
      "My pool locker was broken, so they gave me number {v}.",
      "New locker at the pool: {v}, a bit closer to the showers than {old}.",
    ],
    correct: [
      "I read the tag upside down. My pool locker is {v}, not {wrong}.",
      "My pool locker is {v}; {wrong} is the number of the key ring.",
    ],
    idea: ["I almost asked for locker {v} because it's by the door, but it was taken."],
    now: ["What is the number of my locker at the pool?", "Which locker do I have at the pool now?"],
    at: ["What was the number of my pool locker on {date}?"],
    replies: ["Number {v}, I'll remember it for you.", "Saved. Don't forget the padlock."],
  },
  {
    topic: "records",
    title: "the size of the user's record collection",
    values: numbers(84, 9, 40).map(String),
    first: ["I've counted my vinyl records: {v}.", "My record collection is at {v} records."],
    change: [
      "I sorted the shelf again. The record collection stands at {v} now.",
      "After the flea market my record collection counts {v}.",
      "The collection used to be {old} records, and now it's {v}.",
    ],
    correct: [
      "I counted the records twice: it's {v}, not {wrong}.",
      "The spreadsheet was wrong, my record collection is {v} records and not {wrong}.",
    ],
    idea: ["There's a collector in town with {v} records. I'll never get there."],
    now: ["How many records are in my collection now?", "How many vinyl records do I own by now?"],
    at: ["How many records did my collection have on {date}?"],
    replies: ["Impressive. Which one would you save from a fire?", "Time for another shelf, it seems."],
  },
];

/** Attributes that both the user and other people have. */
import type { Attribute } from "./attribute.js";

export const sharedAttributes: readonly Attribute[] = [
  {
    topic: "city",
    title: "the town somebody lives in",
    values:
      "Porto,Ghent,Lyon,Leeds,Bergen,Graz,Turin,Malmo,Utrecht,Bristol,Gdansk,Valencia,Aarhus,Zagreb,Galway,Leipzig,Tampere,Nantes,Brno,Cardiff,Seville,Basel,Bologna,Tartu".split(
        ",",
      ),
    first: [
      "I live in {v}, if that matters for opening hours and the like.",
      "I'm based in {v}, so keep local shops in mind.",
      "Home for me is {v} these days, a bit far from the office but I like it.",
    ],
    change: [
      "I have finally moved. The boxes are all in {v} now, and I hardly know the neighbourhood.",
      "We handed back the keys in {old} yesterday, and I'm writing to you from the new place in {v}.",
      "I've relocated to {v}, still no curtains.",
      "It's official, my address is in {v} from this week on.",
    ],
    correct: [
      "I mixed something up when I told you about the move: the flat is in {v}, not in {wrong}.",
      "You have {wrong} down as my town, I think. My mistake when I typed it, it's {v}.",
    ],
    idea: [
      "We keep talking about moving to {v} one day, but nothing is decided.",
      "I looked at flats in {v} for fun. Far too expensive, so that's off the table.",
    ],
    other: [
      "{Who} has been living in {v} for a while, and says the bakeries there are the best.",
      "I was on the phone with {who}, who has settled in {v}.",
    ],
    now: ["Where do I live now?", "Which town do I live in at the moment?", "What town should you put in my address?"],
    at: ["Which town was I living in on {date}?", "Where was my home on {date}?"],
    otherNow: ["Where does {who} live?", "Which town is {who} living in?"],
    replies: ["{v} sounds like a good place to be. I'll keep it in mind.", "Noted. How do you find the neighbours?"],
  },
  {
    topic: "job",
    title: "somebody's job",
    values:
      "paramedic,surveyor,pastry chef,librarian,tram driver,paralegal,sound engineer,geologist,florist,physiotherapist,translator,carpenter,lab technician,tax adviser,optician,beekeeper,bookbinder,midwife,stage manager,glazier".split(
        ",",
      ),
    first: [
      "I work as {a v}, so my hours are a bit odd.",
      "For context, I earn my living as {a v}.",
      "I'm {a v} by trade, and computers are not my thing.",
    ],
    change: [
      "Big change: I've left the old job and started as {a v}.",
      "I passed the exams, which makes me {a v} from today. No more days as {a old}!",
      "I've been retrained, and since yesterday I work as {a v}.",
    ],
    correct: [
      "I described my job badly the other day. I'm {a v}, not {a wrong}.",
      "Please forget the bit about me being {a wrong}; officially I'm {a v}.",
    ],
    idea: [
      "Sometimes I wonder whether I should have become {a v} instead. Just dreaming.",
      "A friend says I'd make a good {v}. I don't see it happening.",
    ],
    other: [
      "{Who} works as {a v} and has the best stories.",
      "{Who} got a contract as {a v}, we celebrated on Friday.",
    ],
    now: ["What is my job now?", "What do I do for a living these days?"],
    at: ["What was my job on {date}?", "What did I do for a living on {date}?"],
    otherNow: ["What does {who} do for a living?", "What is the job of {who}?"],
    replies: ["That must keep you on your feet. Thanks for telling me.", "Good to know, {a v} sees a lot in a day."],
  },
  {
    topic: "sport",
    title: "the sport somebody does",
    values:
      "bouldering,rowing,fencing,badminton,judo,water polo,orienteering,archery,squash,trampolining,handball,kickboxing,synchronised swimming,table tennis,roller derby,aikido,ultimate frisbee,curling".split(
        ",",
      ),
    first: ["My sport is {v}, twice a week if work lets me.", "I do {v} to keep fit."],
    change: [
      "I've given up {old} and joined a {v} club instead.",
      "My knees have had enough, so I've changed to {v}.",
      "New season, new sport: I'm doing {v} now.",
    ],
    correct: [
      "I wrote {wrong} the other day, but what I do is {v}. Blame the autocorrect.",
      "It's {v} that I do, not {wrong}. I mixed up the words.",
    ],
    idea: [
      "I watched a {v} match and thought about trying it, but I'm too lazy.",
      "They offer a trial lesson in {v}. I'll pass.",
    ],
    other: ["{Who} is mad about {v}.", "{Who} trains {v} every Thursday, whatever the weather."],
    now: ["Which sport do I do now?", "What is my sport these days?"],
    at: ["Which sport was I doing on {date}?", "What was my sport on {date}?"],
    otherNow: ["Which sport does {who} do?", "What sport is {who} into?"],
    replies: ["Nice, that is good for balance and for the head.", "{v} is harder than it looks. Stretch afterwards!"],
  },
  {
    topic: "instrument",
    title: "the instrument somebody learns",
    values:
      "cello,oboe,banjo,accordion,harp,trombone,ukulele,clarinet,mandolin,bassoon,marimba,double bass,bagpipes,viola,French horn,theremin".split(
        ",",
      ),
    first: [
      "I've been taking {v} lessons, my neighbours are very patient.",
      "I'm learning the {v}, still at the squeaky stage.",
    ],
    change: [
      "I've put the {old} away for good, and I take lessons on the {v} now.",
      "The teacher convinced me to change over to the {v}, and I love it.",
      "I sold the {old}. I'm learning the {v} now.",
    ],
    correct: [
      "I called it {a wrong}, but what I'm learning is the {v}. I'm new to all this.",
      "It's the {v} that I take lessons on. The {wrong} was what my aunt played, I confused the two.",
    ],
    idea: [
      "I tried {a v} in the shop. Lovely, but much too dear.",
      "One day I'd like to learn the {v}, when I'm retired.",
    ],
    other: ["{Who} plays the {v} in a small band.", "{Who} has started on the {v}, and we all pretend it sounds fine."],
    now: ["Which instrument am I learning now?", "What instrument do I take lessons on at present?"],
    at: ["Which instrument was I learning on {date}?"],
    otherNow: ["Which instrument does {who} play?", "What instrument does {who} play?"],
    replies: [
      "Ten minutes a day beat an hour on Sunday. Have fun with it.",
      "The {v} has such a warm sound. Keep going!",
    ],
  },
  {
    topic: "language",
    title: "the language somebody learns",
    values:
      "Finnish,Basque,Korean,Welsh,Swahili,Greek,Hungarian,Icelandic,Turkish,Vietnamese,Czech,Tamil,Georgian,Catalan,Estonian,Arabic,Hindi,Romanian".split(
        ",",
      ),
    first: ["I'm taking an evening class in {v}.", "I study {v} with flash cards on the train."],
    change: [
      "I've dropped {old}. The evening class I'm in now is {v}.",
      "There weren't enough people for {old}, so I've switched to the {v} class.",
      "New term, new language: it's {v} for me now.",
    ],
    correct: [
      "I said {wrong}, and that was the class next door. The language I'm learning is {v}.",
      "My course is {v}, by the way, not {wrong}. I should read before I send.",
    ],
    idea: [
      "I was tempted by a course in {v}, but the timetable killed it.",
      "{v} would be fun to learn. Not this year.",
    ],
    other: ["{Who} is learning {v} for work.", "{Who} has taken up {v}, and labels the whole kitchen with it."],
    now: ["Which language am I learning now?", "What language is my course in at the moment?"],
    at: ["Which language was I learning on {date}?"],
    otherNow: ["Which language is {who} learning?"],
    replies: [
      "Listening to the radio helps, even in the background.",
      "{v} has beautiful sounds. Good luck with the endings.",
    ],
  },
  {
    topic: "car",
    title: "the car somebody drives",
    values:
      "Skoda Fabia,Fiat Panda,Honda Jazz,Volvo V40,Seat Ibiza,Mazda 3,Kia Ceed,Toyota Yaris,Renault Clio,Dacia Sandero,Opel Astra,Peugeot 208,Suzuki Swift,Nissan Leaf,Ford Fiesta,Hyundai Kona".split(
        ",",
      ),
    first: ["I drive {a v}, second-hand, with a dent in the door.", "My car is {a v}, and it needs new tyres."],
    change: [
      "The {old} is sold. I've got {a v} in the garage now.",
      "The old car didn't pass the inspection, so I bought {a v}.",
      "I picked up my new car on Saturday, {a v}, and it still smells new.",
    ],
    correct: [
      "I keep mixing up models. Mine is {a v}; the {wrong} was the one next to it.",
      "Correction about my car: it's {a v}, not {a wrong}.",
    ],
    idea: [
      "I had a test drive in {a v}. Nice seats, but no.",
      "The garage lent me {a v} for two days. I gave it back gladly.",
    ],
    other: ["{Who} drives {a v} and never cleans it.", "{Who} bought {a v}, and took us for a spin."],
    now: ["Which car do I drive now?", "What model is my car?"],
    at: ["Which car did I drive on {date}?", "What model of car did I have on {date}?"],
    otherNow: ["Which car does {who} drive?"],
    replies: ["Check the tyre pressure once a month, it saves fuel.", "Good choice for town. Parking should be easy."],
  },
  {
    topic: "holiday",
    title: "the place booked for the next holiday",
    values:
      "Crete,Madeira,Corfu,the Azores,Sardinia,Iceland,Malta,Tenerife,Jersey,Gotland,Cyprus,Menorca,the Faroe Islands,Bornholm,Lanzarote,Hvar".split(
        ",",
      ),
    first: ["We've booked our summer holiday: {v}.", "Our next big holiday is booked, we're going to {v}."],
    change: [
      "Change of plans: we've cancelled {old} and booked {v} for the big holiday.",
      "The hotel went bust, so our big holiday is booked for {v} now.",
      "We rebooked the big holiday, it's going to be {v}.",
    ],
    correct: [
      "I told you the wrong island. The booking for the big holiday says {v}, not {wrong}.",
      "Our big holiday is booked for {v}. {Wrong} was last year's brochure.",
    ],
    idea: [
      "For the big holiday we also looked at {v}, but the flights are awful.",
      "My in-laws keep advertising {v}. We won't go.",
    ],
    other: ["{Who} has booked two weeks in {v}.", "{Who} is off to {v} this summer."],
    now: ["Where is our big holiday booked for now?", "Which place have we booked for the big holiday?"],
    at: ["As of {date}, which place was booked for our big holiday?"],
    otherNow: ["Where is {who} going on holiday?"],
    replies: [
      "Lovely. Shall I start a packing list at some point?",
      "Pack something against the wind. It's beautiful there.",
    ],
  },
];

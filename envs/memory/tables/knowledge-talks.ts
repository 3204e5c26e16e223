/** Conversations about words, facts and people, which answer no question. */
import type { Talk } from "./talk.js";

export const knowledgeTalks: readonly Talk[] = [
  {
    ask: ["Can you explain {x} in one sentence?", "My nephew asked me about {x}, and I had no answer. Help?"],
    answer: ["In short: {y}.", "I'd put it like this: {y}. There is more to it, but that is the core."],
    pairs: [
      ["why the sky is blue", "air scatters blue light more than red light, so blue reaches us from all sides"],
      ["what inflation is", "prices rise on average, so the same money buys less"],
      [
        "how a lock on a canal works",
        "gates close off a chamber, and water is let in or out until the levels are equal",
      ],
      ["why leaves turn red", "the green pigment is broken down in autumn, and other pigments show or are made"],
      ["what an enzyme does", "it makes one chemical reaction in a living thing go much faster"],
      ["how a vaccine works", "it shows the immune system what to look for before the real germ arrives"],
      ["why ice floats", "water takes up more room when it freezes, so ice is lighter than the same volume of water"],
    ],
    more: [
      ["Nice. Is that simplified a lot?", "A bit, but nothing in it is wrong."],
      ["He will ask why, of course.", "Then you have the pleasure of looking it up together."],
    ],
  },
  {
    ask: ["Can you help me to write {x}? Keep it short.", "I need a few lines: {x}."],
    answer: [
      'Here is a draft: "{y}" Change what you like.',
      'How about this: "{y}" It\'s friendly without being too much.',
    ],
    pairs: [
      [
        "a note to the neighbours about a party",
        "Dear neighbours, we are celebrating on Saturday and it may get loud until eleven. Knock if it is too much, or come in and join us!",
      ],
      [
        "a message to decline an invitation",
        "Thank you so much for thinking of me. I cannot come this time, but I would love to hear how it was.",
      ],
      [
        "a complaint about a late parcel",
        "My order was due last week and has not arrived. Please tell me where it is, or refund the price.",
      ],
      [
        "a card for a retiring colleague",
        "Thank you for your calm, your humour and your biscuits. Enjoy every Monday from now on.",
      ],
      ["a thank-you message to a teacher", "Thank you for a year of patience. We noticed, and so did the children."],
      [
        "an apology for missing a meeting",
        "I am sorry that I missed our meeting; I had written down the wrong hour. Could we find a new time?",
      ],
    ],
    more: [
      ["A bit warmer, please.", "Then begin with a personal sentence, and sign with your first name."],
      ["Perfect, sent.", "Good. I hope they answer kindly."],
    ],
  },
  {
    ask: ['How do you say "{x}" politely?', 'What would be a better word for "{x}"?'],
    answer: ['You could write "{y}".', '"{y}" sounds kinder and says the same.'],
    pairs: [
      ["that's wrong", "I see it differently"],
      ["hurry up", "could you let me know by noon?"],
      ["I don't care", "either is fine with me"],
      ["as I already told you", "to come back to my earlier point"],
      ["you forgot it", "it seems to have slipped through"],
      ["this is too long", "could we shorten it a little?"],
    ],
    more: [
      ["That's it, thanks.", "Tone is half of the message."],
      ["Isn't that too soft?", "Add a date or a number, and it becomes firm without being harsh."],
    ],
  },
  {
    ask: ["What's the difference between {x}?", "I always mix them up: {x}?"],
    answer: ["It's simple once you've seen it: {y}.", "The short version: {y}."],
    pairs: [
      ["weather and climate", "weather is today's mood, climate is the character over decades"],
      ["crows and ravens", "ravens are larger, with a wedge-shaped tail and a deep voice"],
      ["baking soda and baking powder", "baking powder contains an acid already, baking soda needs one from the dough"],
      [
        "a moth and a butterfly",
        "butterflies have clubbed feelers and fly by day, most moths have feathery ones and fly by night",
      ],
      ["a novel and a novella", "a novella is shorter and keeps to one line of events"],
      ["limestone and marble", "marble is limestone that heat and pressure have turned into crystals"],
      ["a virus and a bacterium", "a bacterium is a living cell of its own, a virus needs somebody else's"],
    ],
    more: [
      ["I'll forget it by tomorrow.", "Then ask me again, I don't mind."],
      ["That makes sense.", "Good. You could explain it to somebody, it sticks better."],
    ],
  },
  {
    ask: ["Please convert {x} for me.", "How much is {x}, roughly?"],
    answer: ["That's {y}.", "About {y}, close enough for everyday use."],
    pairs: [
      ["three cups of flour", "375 grams"],
      ["350 degrees Fahrenheit", "175 degrees Celsius"],
      ["five miles", "eight kilometres"],
      ["a pint", "a bit more than half a litre"],
      ["six feet", "183 centimetres"],
      ["ten pounds", "4.5 kilograms"],
      ["an acre", "4,047 square metres"],
    ],
    more: [
      ["And half of that?", "Half of everything, the ratio stays the same."],
      ["Thanks, the recipe is from my aunt.", "Family recipes deserve exact scales."],
    ],
  },
  {
    ask: ["Could you recommend a game for {x}?", "We need something to play with {x}."],
    answer: ["I'd pick {y}: quick to learn, and nobody is out early.", "Try {y}. It takes half an hour at most."],
    pairs: [
      ["two players on a train", "a small dice game with a tray"],
      ["six adults", "a game of words and drawings"],
      ["children of seven", "a memory game with animals"],
      ["a rainy afternoon", "dominoes in teams"],
      ["people who hate to lose", "a cooperative game about an island"],
    ],
    more: [
      ["We played it, everybody laughed.", "That's the best review."],
      ["Isn't there one without cards?", "Charades, which needs nothing but courage."],
    ],
  },
  {
    ask: [
      "I have to give a short talk about {x}. How should I begin?",
      "Next week I present {x} to a small group. Ideas for the opening?",
    ],
    answer: [
      "Begin with {y}, and say in one sentence why it matters to them.",
      "I'd open with {y}. Then pause, and let them look.",
    ],
    pairs: [
      ["rain water", "a glass of water on the table"],
      ["street names", "a photo of an odd sign from around the corner"],
      ["fair trade", "the price of one banana"],
      ["old tools", "a tool that nobody can name"],
      ["the history of soap", "a bar of soap that goes from hand to hand"],
      ["first aid", "a question: who has ever called an ambulance?"],
    ],
    more: [
      ["I get so nervous.", "Learn the first two sentences by heart, the rest follows."],
      ["How long should it be?", "Ten minutes, and five for questions."],
    ],
  },
  {
    ask: ["Tell me something odd about {x}, please. I need to smile.", "Do you know a fun fact about {x}?"],
    answer: ["Here's one: {y}.", "Gladly: {y}. You can use it at dinner."],
    pairs: [
      ["octopuses", "they have three hearts, and two of them stop when they swim"],
      ["bananas", "botanically they are berries, and strawberries are not"],
      ["honey", "edible honey has been found in very old tombs"],
      ["wombats", "their droppings are cube-shaped"],
      ["Venus", "a day on it is longer than its year"],
      ["sea otters", "they hold hands while they sleep, so as not to drift apart"],
    ],
    more: [
      ["Ha! One more?", "Another time, or they lose their charm."],
      ["I don't believe it.", "I didn't either at first, but it checks out."],
    ],
  },
];

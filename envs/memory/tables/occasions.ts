/** Occasions, such as a party, for which the user, the assistant and a third person each make a proposal. */

/** Placeholders of sentences: Placeholders in sentences: `{x}` is the proposal, `{who}` or `{Who}` the third person. */
export interface Occasion {
  topic: string;
  /** Noun phrase for the occasion in the titles of tasks and in questions: "suggested for ...". */
  title: string;
  values: readonly string[];
  /** Sentences in which the user asks for ideas and makes a proposal. */
  own: readonly string[];
  /** The assistant proposes. */
  assistant: readonly string[];
  /** Sentences in which the user reports the third person's proposal. */
  third: readonly string[];
  /** Closing replies of the assistant. */
  close: readonly string[];
}

export const occasions: readonly Occasion[] = [
  {
    topic: "present",
    title: "my mother's birthday present",
    values:
      "a silk scarf,a fountain pen,a bird feeder,opera tickets,a tea set,a photo book,a cashmere blanket,a ceramic vase,a puzzle of Venice,a cooking class,a garden lantern,a jewellery box,a rose bush,a barometer".split(
        ",",
      ),
    own: [
      "I need a present for my mother's birthday. I was thinking of {x}. Any other idea?",
      "What could I give my mother for her birthday? All I've come up with is {x}.",
    ],
    assistant: [
      "From all that you've told me about her, I'd suggest {x}.",
      "My suggestion would be {x}: personal, and easy to wrap.",
    ],
    third: ["{Who} says {x} would be the thing.", "{Who} is in favour of {x}, by the way."],
    close: ["Both are kind ideas. You know her best.", "Then you have three good ones to choose from."],
  },
  {
    topic: "potluck",
    title: "the potluck dinner",
    values:
      "lentil salad,spinach pie,potato gratin,stuffed peppers,cornbread,carrot soup,tabbouleh,apple crumble,bean chilli,mushroom quiche,coleslaw,pumpkin curry,onion tart,rice pudding".split(
        ",",
      ),
    own: [
      "What should I bring to the potluck dinner? I had {x} in mind.",
      "There's a potluck dinner on Saturday. I could make {x}, but is there something better?",
    ],
    assistant: ["How about {x}? It travels well and feeds many.", "I'd go for {x}, which you can make the day before."],
    third: ["{Who} thinks that I should bring {x}.", "When I asked around, {who} voted for {x}."],
    close: ["Any of them will be eaten, I'm sure.", "Enjoy the evening, whatever you bring."],
  },
  {
    topic: "bookclub",
    title: "the next book of the book club",
    values:
      "The Marsh King,A Winter in Tunis,Clockwork Hearts,The Olive Thief,Letters to Nobody,The Sparrow Census,Room for Rain,The Second Lighthouse,Mother of Pearl Street,The Ice Merchant,Half a Kingdom,The Secret Orchardist,Twelve Doors,Grey Heron Summer".split(
        ",",
      ),
    own: [
      "Our book club needs its next book, and I want to propose {x}. What would you say?",
      "I have to name a book for the book club. {X} is my candidate. Do you have another?",
    ],
    assistant: [
      "I'd put {x} forward: short chapters, and much to argue about.",
      "Then let me name {x} as well, it makes for good talk.",
    ],
    third: ["{Who} wants us to read {x}.", "{Who} has already announced {x}."],
    close: ["Let the club vote, then nobody can complain.", "A blind vote may be the fairest."],
  },
  {
    topic: "walk",
    title: "the walk with the visitors",
    values:
      "the mill path,the quarry loop,the chapel hill,the heron marsh,the old canal,the ridge trail,the vineyard round,the cave walk,the beech avenue,the reservoir,the smugglers' coast,the abbey ruins,the juniper heath,the gorge".split(
        ",",
      ),
    own: [
      "We have visitors next week and want to take them for a walk. I'd choose {x}. What do you think?",
      "Which walk would you do with visitors who aren't used to hills? I can only think of {x}.",
    ],
    assistant: [
      "For mixed groups I'd recommend {x}.",
      "Have a look at {x}, too. It's gentle, with benches on the way.",
    ],
    third: ["{Who} recommends {x}.", "{Who} insists on {x}."],
    close: ["Check the weather in the morning and decide then.", "Take something to drink, whichever way you go."],
  },
  {
    topic: "team",
    title: "the team evening",
    values:
      "bowling,a pub quiz,an escape room,karaoke,a boat ride,minigolf,a cheese tasting,a pottery evening,a ghost tour,ice skating,a cooking contest,a board game night,axe throwing,a planetarium show".split(
        ",",
      ),
    own: [
      "I'm in charge of our team evening. {X}, perhaps? I'm not convinced myself.",
      "Help me with the team evening, please. My own idea is {x}.",
    ],
    assistant: [
      "What about {x}? Everybody can join in.",
      "I'd propose {x}, since it needs no skill and leaves room for talk.",
    ],
    third: ["{Who} came up with {x}.", "{Who} has put {x} on the list."],
    close: ["A quick poll will settle it.", "Book early, Thursdays fill up."],
  },
  {
    topic: "plant",
    title: "the plant in the dark corner",
    values:
      "a snake plant,a cast-iron plant,a maidenhair fern,a peace lily,a pothos,a rubber plant,a parlour palm,an aspidistra,a dracaena,a calathea,a philodendron,a spider plant,a bird's nest fern,an ivy".split(
        ",",
      ),
    own: [
      "Which plant would survive in the dark corner of my hall? I'd have bought {x}.",
      "I want a plant for that dark corner. Would {x} do?",
    ],
    assistant: ["For so little light I'd rather take {x}.", "I'd suggest {x}, which forgives nearly everything."],
    third: ["{Who} would put {x} there.", "{Who} swears by {x}."],
    close: ["Turn the pot a little every week.", "Water sparingly, that matters most."],
  },
];

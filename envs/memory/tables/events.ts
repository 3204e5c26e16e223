/**
 * Kinds of events that the user takes part in several times. Questions ask for their number, their order, or the sum of
 * their costs.
 */

/** Placeholders in sentences: `{x}` is the item, such as the title of a book, and `{amount}` its cost. */
export interface EventKind {
  topic: string;
  /** Noun phrase for the events in the titles of tasks. */
  title: string;
  items: readonly string[];
  did: readonly string[];
  /** Sentences that mention an earlier event again. */
  again: readonly string[];
  /** Sentences about an event that did not take place. */
  miss: readonly string[];
  /** Questions for the number of events, or for the sum of their costs. */
  ask: readonly string[];
  /** Beginnings of questions for the order of several events; the list of the events follows. */
  askOrder?: readonly string[];
  /** Questions for the event at the position `{place}`: second, third or fourth. */
  askPlace?: readonly string[];
  replies: readonly string[];
}

export const counted: readonly EventKind[] = [
  {
    topic: "books",
    title: "books that the user has finished",
    items:
      "The Lamplighter's Daughter,Cold Harbour Road,Nine Letters Home,The Weight of Snow,An Island of Clocks,The Beekeeper's Debt,Small Kingdoms,The Last Surveyor,Rain over Marlow,A Field Guide to Leaving,The Hollow Crown Inn,Night Train to Osla,The Ferryman's Wife,Bread and Granite,The Borrowed Garden,Saltmarsh,The Tin Cathedral,Evening in Verrano".split(
        ",",
      ),
    did: [
      "I finished reading {x} last night.",
      "I've read the last page of {x}, what an ending.",
      "One more book done: I finished {x}.",
    ],
    again: [
      "I'm still thinking about {x}, which I finished a while ago.",
      "I lent my copy of {x} to a neighbour, now that I'm through with it.",
    ],
    miss: [
      "I gave up on {x} after fifty pages.",
      "I bought {x}, but I haven't opened it yet.",
      "A colleague is reading {x} and won't stop talking about it.",
    ],
    ask: [
      "How many different books have I told you that I finished?",
      "How many books have I finished, going by what I told you?",
    ],
    askOrder: ["In which order did I tell you that I had finished these books"],
    askPlace: ["Which book was the {place} that I told you I had finished?"],
    replies: ["What stayed with you most?", "Congratulations, that's a good feeling. What's next on the pile?"],
  },
  {
    topic: "concerts",
    title: "concerts that the user has been to",
    items:
      "the Velvet Herons,Paper Moon Parade,Tall Pines,the Midnight Cartographers,Ochre,Silver Kettle,the Lost Umbrellas,Brass Monsoon,Hollow Radio,Cinder & Sons,the Night Gardeners,Echo Canal,Sixpenny Choir,Northern Static,Juniper Falls,Glass Parrots".split(
        ",",
      ),
    did: [
      "I went to hear {x} live yesterday.",
      "We were at a concert of {x}, and my ears are still ringing.",
      "The concert of {x} was last night, I was in the third row.",
    ],
    again: [
      "I keep humming the encore from when I heard {x}.",
      "The photos from that concert of {x} have turned out well.",
    ],
    miss: [
      "The concert of {x} was cancelled at the last minute, so we stayed at home.",
      "I had a ticket for {x}, but I was ill and gave it away.",
      "My cousin went to see {x}. I wasn't there.",
    ],
    ask: [
      "How many different bands have I heard live, going by what I told you?",
      "How many bands did I tell you that I went to hear in concert?",
    ],
    askOrder: ["In which order did I tell you that I had heard these bands live"],
    askPlace: ["Which band was the {place} that I told you I had heard live?"],
    replies: [
      "That sounds like a great evening. Did they play the old songs?",
      "Live music does wonders. Bring earplugs next time!",
    ],
  },
  {
    topic: "trips",
    title: "towns that the user has visited for a day",
    items:
      "Marburg,Delft,Segovia,Colmar,Sintra,Lucca,Bamberg,Kotor,Annecy,Cesky Krumlov,Whitby,Ronda,Visby,Piran,Dinant,Haarlem,Girona,Sopron".split(
        ",",
      ),
    did: [
      "We took a day trip to {x} yesterday.",
      "I'm just back from a day in {x}, just walking around.",
      "Yesterday's day trip went to {x}, and the weather held.",
    ],
    again: ["The honey that we brought home from {x} is finished already.", "I've printed a photo of our day in {x}."],
    miss: [
      "We wanted to go to {x} for the day, but the train was cancelled.",
      "We had planned a day in {x} and postponed it because of the rain.",
      "My parents spent a day in {x} and sent a card.",
    ],
    ask: [
      "How many different towns have I been to on day trips, going by what I told you?",
      "How many towns did I tell you that I visited for a day?",
    ],
    askOrder: ["In which order did I tell you of my day trips to these towns"],
    askPlace: ["Which town was the {place} that I told you I had visited on a day trip?"],
    replies: ["What did you like best there?", "A day is just right for a town of that size."],
  },
  {
    topic: "museums",
    title: "museums that the user has visited",
    items:
      "the Clock Museum,the Museum of Salt,the Railway Museum,the Textile Museum,the Museum of Glass,the Toy Museum,the Whaling Museum,the Museum of Maps,the Bread Museum,the Lighthouse Museum,the Museum of Printing,the Puppet Museum,the Carriage Museum,the Umbrella Museum,the Radio Museum,the Museum of Bells".split(
        ",",
      ),
    did: [
      "I visited {x} this morning.",
      "We went round {x} today because it was raining.",
      "I finally got to see {x}, two hours well spent.",
    ],
    again: ["I still have the ticket from {x} in my coat.", "The postcard from my visit to {x} is on the fridge."],
    miss: [
      "{x} was closed for repairs when I stood at the door.",
      "I'd like to see {x} some day.",
      "A friend went to {x} without me.",
    ],
    ask: [
      "How many different museums have I visited, going by what I told you?",
      "How many museums did I tell you that I went to?",
    ],
    askOrder: ["In which order did I tell you that I had visited these museums"],
    askPlace: ["Which museum was the {place} that I told you I had visited?"],
    replies: [
      "Small museums are often the best ones. What was the oddest thing there?",
      "That sounds worth the ticket.",
    ],
  },
];

export const paid: readonly EventKind[] = [
  {
    topic: "bicycle",
    title: "money that the user has spent on the bicycle",
    items:
      "a new chain,a pair of tyres,a leather saddle,brake pads,a front light,mudguards,a bell,a rear rack,pedals,a bottle cage,a helmet mount,new cables,a dynamo,handlebar tape".split(
        ",",
      ),
    did: [
      "I bought {x} for my bicycle, {amount}.",
      "My bicycle got {x}, and the shop charged me {amount}.",
      "I paid {amount} for {x} for the bicycle.",
    ],
    again: [
      "I'm pleased with {x} on the bicycle, it was worth the money.",
      "The bicycle rides well since I bought {x}.",
    ],
    miss: [
      "I almost ordered {x} for the bicycle at {amount}, but I left it in the basket.",
      "The shop wanted {amount} for {x} for the bicycle. I walked out.",
      "My neighbour paid {amount} for {x}. His bicycle is fancier than mine.",
    ],
    ask: [
      "How much have I spent on my bicycle in total, going by what I told you?",
      "What does all that I bought for my bicycle add up to?",
    ],
    replies: ["Good care makes it last. I hope it rides well.", "That seems a fair price."],
  },
  {
    topic: "garden",
    title: "money that the user has spent on the garden",
    items:
      "a pear tree,three bags of compost,a watering can,a trellis,tulip bulbs,a rain barrel,a rake,a bird bath,strawberry plants,a cold frame,a hedge trimmer,gravel for the path,a lavender bush,a bench".split(
        ",",
      ),
    did: [
      "I bought {x} for the garden, {amount}.",
      "For the garden I got {x}, which cost me {amount}.",
      "I spent {amount} on {x} for the garden.",
    ],
    again: ["I'm glad that I bought {x} for the garden, it looks settled.", "The garden looks better since I got {x}."],
    miss: [
      "I looked at {x} for the garden, {amount}, and decided against it.",
      "The garden centre asks {amount} for {x}. I'll do without.",
      "My mother spent {amount} on {x} for her own garden.",
    ],
    ask: [
      "How much have I spent on my garden in total, going by what I told you?",
      "What does all that I bought for my garden add up to?",
    ],
    replies: ["Water it well in the first weeks, where that applies.", "The garden will thank you."],
  },
  {
    topic: "office",
    title: "money that the user has spent on the home office",
    items:
      "a desk lamp,a footrest,a second monitor,a keyboard,a cork board,a headset,a shelf,a filing box,a webcam,a laptop stand,a mouse mat,a printer,a whiteboard,an extension cord".split(
        ",",
      ),
    did: [
      "I bought {x} for my home office, {amount}.",
      "My home office has {x} now. I paid {amount}.",
      "I ordered {x} for the home office, it was {amount} with delivery.",
    ],
    again: ["I'm happy that the home office has {x} now.", "Work goes better since I bought {x} for the home office."],
    miss: [
      "I sent {x} back to the shop, so the home office cost me nothing this time; they refunded the {amount}.",
      "I had {x} for the home office in the basket for {amount}, and then I closed the tab.",
      "A colleague spent {amount} on {x} for his own desk.",
    ],
    ask: [
      "How much have I spent on my home office in total, going by what I told you?",
      "What does all that I bought for my home office add up to?",
    ],
    replies: ["Your back will be grateful in the long run.", "Keep the receipt for the tax return."],
  },
  {
    topic: "cat",
    title: "money that the user has spent on the cat",
    items:
      "a scratching post,a vaccination,a travel box,a check-up at the vet,a water fountain,a cushion,a month of special food,a cat flap,a tooth cleaning,a brush,a flea treatment,an ear treatment".split(
        ",",
      ),
    did: [
      "I paid {amount} for {x} for the cat.",
      "The cat needed {x}, and that was {amount}.",
      "I spent {amount} on {x} for the cat.",
    ],
    again: ["The cat is well after {x}, all quiet here.", "I don't regret paying for {x}, the cat is purring."],
    miss: [
      "They offered me {x} for the cat at {amount}. I said no.",
      "I thought about {x} for the cat, {amount}, but it can wait.",
      "A friend paid {amount} for {x} for her cat.",
    ],
    ask: [
      "How much have I spent on my cat in total, going by what I told you?",
      "What do all the expenses for my cat add up to?",
    ],
    replies: ["I hope the cat took it well.", "Cats are expensive company, and worth it."],
  },
];

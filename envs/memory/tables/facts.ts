/** Facts about the user that are stated once and do not change. */
export interface Fact {
  topic: string;
  /** Noun phrase for the fact in the titles of tasks. */
  title: string;
  values: readonly string[];
  say: readonly string[];
  ask: readonly string[];
  replies: readonly string[];
}

export const facts: readonly Fact[] = [
  {
    topic: "birthplace",
    title: "where the user was born",
    values:
      "Oulu,Split,Inverness,Plovdiv,Trieste,Limerick,Bilbao,Linz,Odense,Košice,Rouen,Patras,Coimbra,Rostock,Swansea,Turku".split(
        ",",
      ),
    say: [
      "I was born in {v}, though I left as a baby and remember nothing.",
      "My passport says that I was born in {v}, which always surprises people.",
    ],
    ask: ["In which town was I born?", "Where was I born?"],
    replies: ["A nice detail. Have you been back?", "I wouldn't have guessed."],
  },
  {
    topic: "tortoise",
    title: "the name of the user's tortoise",
    values:
      "Biscuit,Admiral,Pepper,Marzipan,Turbo,Clementine,Olive,Sherlock,Button,Nutmeg,Waffles,Pascal,Truffle,Domino,Juniper,Mango".split(
        ",",
      ),
    say: [
      "Our tortoise {v} has woken up from hibernation.",
      "I have to keep {v} out of the lettuce. That's my tortoise, in case you wonder.",
    ],
    ask: ["What is the name of my tortoise?", "What do I call my tortoise?"],
    replies: ["Greetings to the tortoise! Slow and steady.", "Tortoises are surprisingly fast when there is lettuce."],
  },
  {
    topic: "firstRecord",
    title: "the first record that the user bought",
    values:
      "Harvest Moonlight,Electric Pond,Songs for a Kettle,The Blue Staircase,Tin Roof Summer,Cats at Midnight,Marble Arcade,Lemonade Sky,Static Hearts,Paper Tigers,Slow Comet,Eleven Doors,Velvet Weather,Radio Lagoon,Gravel & Gold,Sunday Machines".split(
        ",",
      ),
    say: [
      "The first record I ever bought was {v}, with my own pocket money.",
      "I heard a song from {v} in a shop. It was the first record I bought as a child!",
    ],
    ask: ["What was the first record that I ever bought?", "Which record did I buy first in my life?"],
    replies: ["The first record is never forgotten.", "Do you still have it somewhere?"],
  },
  {
    topic: "thesis",
    title: "the subject of the user's thesis",
    values:
      "lichens,medieval bridges,tidal power,honeybee navigation,railway strikes,sourdough yeasts,Roman glass,avalanche forecasts,sign languages,urban foxes,wind instruments,peat bogs,postal history,coral bleaching,folk dances,salt trade".split(
        ",",
      ),
    say: [
      "I wrote my thesis on {v}, believe it or not.",
      "Years ago I wrote a thesis about {v}, and nobody has read it since.",
    ],
    ask: ["What was my thesis about?", "On which subject did I write my thesis?"],
    replies: ["I'd read it. What did you find out?", "An unusual subject, and a good story for dinner."],
  },
  {
    topic: "boat",
    title: "the name of the user's boat",
    values:
      "Petrel,Morning Star,Sea Biscuit,Halcyon,Windlass,Marigold,Second Wind,Kittiwake,Old Faithful,Dragonfly,Bluebell,Tern,Rosinante,Sandpiper,Lady Grey,Puffin".split(
        ",",
      ),
    say: [
      "I spent the day scrubbing my little boat, the {v}.",
      "My little sailing boat is called {v}, like my grandfather's.",
    ],
    ask: ["What is the name of my boat?", "What is my sailing boat called?"],
    replies: ["Fair winds to you both!", "A good name for a boat."],
  },
  {
    topic: "key",
    title: "where the user keeps the spare key",
    values:
      "under the blue flowerpot,in the bird house,behind the loose brick,in the watering can,inside the lantern,on top of the meter box,in the old boot,under the third step,in the letter box of the neighbours,behind the drainpipe,in the tool shed,under the bench,inside the garden gnome,in the wood pile,behind the house number,in the hollow log".split(
        ",",
      ),
    say: ["If I ever ask: the spare key is {v}.", "I've hidden the spare key {v}, remind me if I forget."],
    ask: ["Where is my spare key?", "Where did I hide the spare key?"],
    replies: ["I'll remember that, and tell nobody.", "Noted. Don't tell the magpies."],
  },
  {
    topic: "school",
    title: "the subject that the user hated at school",
    values:
      "chemistry,Latin,geometry,needlework,physics,gymnastics,geography,religion,algebra,French,biology,woodwork,choir,economics,grammar,swimming".split(
        ",",
      ),
    say: [
      "At school the subject I hated most was {v}.",
      "I still have bad dreams about {v}, the subject I hated at school.",
    ],
    ask: ["Which subject did I hate most at school?"],
    replies: ["You are not alone with that one.", "Perhaps it was the teacher?"],
  },
  {
    topic: "gate",
    title: "the code of the user's garden gate",
    values: Array.from({ length: 60 }, (_, at) => `${1_000 + ((at * 7_919 + 2_137) % 9_000)}`),
    say: [
      "The code for our garden gate is {v}. I keep forgetting it, so please remember it.",
      "We have a lock on the garden gate now, with the code {v}.",
    ],
    ask: ["What is the code for our garden gate?"],
    replies: ["I'll keep the code in mind.", "Stored. Don't put it on a note beside the gate."],
  },
];

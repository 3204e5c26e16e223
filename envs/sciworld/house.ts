/** The house in which every task takes place: ten places with their permanent things. */
import { type JavaRandom, shuffled } from "../shared/rng/java-random.js";
import { byCodeUnits } from "./engine/description.js";
import { byAge, type Kind, type Thing, type World } from "./engine/thing.js";
import { bee } from "./facts/living/bees.js";
import * as containers from "./facts/matter/containers.js";
import * as foods from "./facts/matter/foods.js";
import { firePit, fountain } from "./facts/matter/ground.js";
import * as paints from "./facts/matter/paints.js";
import * as substances from "./facts/matter/substances.js";
import * as agents from "./facts/things/agent.js";
import * as devices from "./facts/things/devices.js";
import { randomBook, randomPicture } from "./facts/things/documents.js";
import * as electrical from "./facts/things/electrical.js";
import * as furniture from "./facts/things/furniture.js";
import { addDoor, outside, room, universe } from "./facts/things/places.js";
import { addDrain, bathtub, sink, toilet } from "./facts/things/plumbing.js";
import { stopwatch } from "./facts/things/stopwatch.js";

export interface House {
  readonly universe: Thing;
  readonly agent: Thing;
}

export function buildHouse(world: World): House {
  const everything = world.make(universe);
  const sewer = world.make(containers.sewer);
  everything.add(sewer);
  const builder = new Builder(world, sewer);
  const places = builder.places();
  for (const place of Object.values(places)) everything.add(place);
  builder.shovel(places.greenhouse, places.outside);
  builder.doors(places);
  const agent = world.make(agents.agent);
  const anywhere = Object.values(places).sort((one, other) => byCodeUnits(one.name, other.name) || byAge(one, other));
  anywhere[world.random.nextInt(anywhere.length)]?.add(agent);
  return { universe: everything, agent };
}

type Places = ReturnType<Builder["places"]>;

class Builder {
  private readonly random: JavaRandom;

  constructor(
    private readonly world: World,
    private readonly sewer: Thing,
  ) {
    this.random = world.random;
  }

  /** Places, in the order in which they are created. */
  places() {
    return {
      kitchen: this.kitchen(),
      livingRoom: this.livingRoom(),
      bedroom: this.bedroom(),
      bathroom: this.bathroom(),
      workshop: this.workshop(),
      greenhouse: this.greenhouse(),
      artStudio: this.artStudio(),
      hallway: this.hallway(),
      outside: this.outside(),
      foundry: this.foundry(),
    };
  }

  shovel(...places: readonly [Thing, Thing]): void {
    const shovel = this.world.make(devices.shovel);
    places[this.random.nextInt(2) === 1 ? 0 : 1].add(shovel);
  }

  doors({
    kitchen,
    livingRoom,
    bedroom,
    bathroom,
    workshop,
    greenhouse,
    artStudio,
    hallway,
    outside,
    foundry,
  }: Places) {
    const doors: readonly (readonly [Thing, Thing])[] = [
      [kitchen, hallway],
      [livingRoom, hallway],
      [bedroom, hallway],
      [bathroom, kitchen],
      [workshop, hallway],
      [greenhouse, hallway],
      [artStudio, hallway],
      [kitchen, outside],
      [greenhouse, outside],
      [foundry, outside],
    ];
    for (const [from, to] of doors) addDoor(from, to, this.world);
  }

  private kitchen(): Thing {
    const kitchen = this.world.make(room("kitchen"));
    kitchen.add(this.sink());
    this.fill(kitchen, devices.stove);
    const fridge = this.put(devices.fridge, kitchen);
    this.fill(kitchen, devices.freezer, devices.oven);
    const cupboard = this.put(furniture.cupboard, kitchen);
    this.fill(cupboard, containers.metalPot, containers.tinCup, containers.ceramicCup);
    const counter = this.put(furniture.counter, kitchen);
    const bowl = this.put(containers.bowl, counter);
    this.fill(bowl, foods.apple, foods.banana, foods.orange, foods.potato);
    this.fill(this.put(containers.woodCup, fridge), foods.orangeJuice);
    this.fill(kitchen, devices.thermometer);
    kitchen.add(randomPicture(this.world));
    this.fill(this.put(furniture.woodTable, kitchen), containers.glassCup);
    this.fill(kitchen, furniture.chair, devices.lighter);
    this.fill(this.put(containers.glassJar, kitchen), substances.sodiumChloride);
    this.fill(kitchen, substances.soap, stopwatch);
    return kitchen;
  }

  private livingRoom(): Thing {
    const livingRoom = this.world.make(room("living room"));
    this.fill(livingRoom, furniture.couch, furniture.chair);
    const tables = [furniture.woodTable, furniture.steelTable, furniture.desk];
    this.fill(livingRoom, tables[this.random.nextInt(tables.length)] as Kind);
    this.decorate(livingRoom);
    return livingRoom;
  }

  private bedroom(): Thing {
    const bedroom = this.world.make(room("bedroom"));
    this.fill(bedroom, furniture.bed, furniture.woodTable, furniture.closet);
    this.decorate(bedroom);
    return bedroom;
  }

  private bathroom(): Thing {
    const bathroom = this.world.make(room("bathroom"));
    bathroom.add(this.sink());
    const lavatory = this.put(toilet, bathroom);
    addDrain(lavatory, this.sewer, this.world);
    this.fill(lavatory, substances.water);
    const tub = this.put(bathtub, bathroom);
    addDrain(tub, this.sewer, this.world);
    this.fill(bathroom, containers.glassCup);
    bathroom.add(randomPicture(this.world));
    return bathroom;
  }

  private workshop(): Thing {
    const workshop = this.world.make(room("workshop"));
    const table = this.put(furniture.woodTable, workshop);
    const bulbs = shuffled(["red", "green", "blue", "yellow", "orange", "violet"], this.random).slice(0, 3);
    this.fill(table, ...bulbs.map(electrical.lightBulb));
    const wires = shuffled(["red", "green", "blue", "yellow", "orange", "black"], this.random).slice(0, 3);
    for (const color of wires) table.add(this.world.make(electrical.wire, `${color} wire`));
    this.fill(table, electrical.electricSwitch, electrical.battery);
    this.fill(workshop, devices.ultraColdFreezer);
    return workshop;
  }

  private greenhouse(): Thing {
    const greenhouse = this.world.make(room("greenhouse"));
    this.fill(greenhouse, containers.jug);
    const hive = this.put(furniture.beeHive, greenhouse);
    for (let number = 0; number < 5; number++) hive.add(this.world.make(bee, `bee ${number}`));
    greenhouse.add(this.sink());
    return greenhouse;
  }

  private artStudio(): Thing {
    const studio = this.world.make(room("art studio"));
    const table = this.put(furniture.woodTable, studio);
    // All three vessels are made, but only one is used.
    const vessels = [containers.glassCup, containers.bowl, containers.jug].map((kind) => this.world.make(kind));
    table.add(shuffled(vessels, this.random)[0] as Thing);
    this.paintsIn(studio);
    const cupboard = this.put(furniture.cupboard, studio);
    this.paintsIn(cupboard);
    cupboard.name = "large cupboard";
    return studio;
  }

  private hallway(): Thing {
    const hallway = this.world.make(room("hallway"));
    hallway.add(randomPicture(this.world));
    return hallway;
  }

  private outside(): Thing {
    const place = this.world.make(outside);
    this.fill(place, firePit, substances.wood, devices.axe, fountain);
    return place;
  }

  private foundry(): Thing {
    const foundry = this.world.make(room("foundry"));
    this.fill(foundry, devices.blastFurnace);
    foundry.add(this.sink());
    this.fill(foundry, furniture.steelTable);
    return foundry;
  }

  private put(kind: Kind, place: Thing): Thing {
    const made = this.world.make(kind);
    place.add(made);
    return made;
  }

  private fill(place: Thing, ...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.put(kind, place);
  }

  private sink(): Thing {
    const made = this.world.make(sink);
    addDrain(made, this.sewer, this.world);
    return made;
  }

  private paintsIn(place: Thing): void {
    const made = [paints.redPaint, paints.bluePaint, paints.yellowPaint].map((kind) => this.world.make(kind));
    for (const paint of made) this.put(containers.woodCup, place).add(paint);
  }

  /** Adds a picture and, with probability 1/2, books. */
  private decorate(place: Thing): void {
    place.add(randomPicture(this.world));
    if (!this.random.nextBoolean()) return;
    const books = this.random.nextInt(4);
    const shelf = this.put(containers.bookShelf, place);
    for (let count = 0; count < books; count++) shelf.add(randomBook(this.world));
  }
}

/** The prompt of AgentGym's client, letter for letter, so that results are comparable. */

const actions = [
  ["open/close OBJ", "open/close a container"],
  ["de/activate OBJ", "activate/deactivate a device"],
  ["connect OBJ to OBJ", "connect electrical components"],
  ["disconnect OBJ", "disconnect electrical components"],
  ["use OBJ [on OBJ]", "use a device/item"],
  ["look around", "describe the current room"],
  ["look at OBJ", "describe an object in detail"],
  ["look in OBJ", "describe a container's contents"],
  ["read OBJ", "read a note or book"],
  ["move OBJ to OBJ", "move an object to a container"],
  ["pick up OBJ", "move an object to the inventory"],
  ["put down OBJ", "drop an inventory item"],
  ["pour OBJ into OBJ", "pour a liquid into a container"],
  ["dunk OBJ into OBJ", "dunk a container into a liquid"],
  ["mix OBJ", "chemically mix a container"],
  ["go to LOC", "move to a new location"],
  ["eat OBJ", "eat a food"],
  ["flush OBJ", "flush a toilet"],
  ["focus on OBJ", "signal intent on a task object"],
  ["wait", "take no action for 10 iterations"],
  ["wait1", "take no action for 1 iteration"],
].map(([action, description]) => `{"action": "${action}", "description": "${description}"}`);

/** A part of the prompt that lacks spaces, as in AgentGym's client. */
const examine =
  '{"action":"examine OBJ","description":"provides a description of the objects present on or in a receptacle."}';

const last = [
  '{"action": "task", "description": "describe current task"}',
  '{"action": "inventory", "description": "list your inventory"}',
];

export const prompt =
  "You are an agent for science world. Every round I will give you an observation, you have to respond an action " +
  "based on the observation to finish the given task. Here are the actions you may take: " +
  `[${[...actions, examine, ...last].join(", ")}]\n` +
  "Your response should use the following format:\nThought:\nyour thoughts.\n\nAction:\nyour next action";

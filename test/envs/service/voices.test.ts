/** Agents with other words than the expert's lead the same conversations, and have the same reward. */
import { expect, test } from "vitest";
import { bestAction, questions } from "#palestra/envs/service/expert.js";
import { type Player, play } from "./players.js";

/** Wordings by the beginning of the expert's message. `{...}` is the rest of it. */
const wordings: Readonly<Record<string, readonly string[]>> = {
  [questions.postcode]: [
    "Of course! Before I can access your account, I need to verify your identity. Could you please provide your postcode?",
    "Thanks for contacting us. For security reasons, may I have the postal code on your account?",
    "Sure, I can help with that. What's your ZIP code?",
  ],
  [questions.name]: [
    "I'd be happy to help! Could you please tell me your full name?",
    "Who am I speaking with, please?",
    "May I have your name so that I can find your account?",
  ],
  [questions.email]: [
    "I found more than one account with that name. What's the email address on yours?",
    "Could you share your email so I can identify the right account?",
    "Please provide your e-mail address.",
  ],
  [questions.record]: [
    "I see a few possibilities in your history. Could you clarify which one you mean?",
    "Thank you, you're verified! Which one are you referring to?",
    "You have more than one that fits. Do you remember when you placed the order?",
  ],
  [questions.item]: [
    "There are two of them in that order. Which one is it?",
    "Could you tell me which item in the order you mean?",
    "Which of the two products is this about?",
  ],
  [questions.method]: [
    "How would you like to receive the money?",
    "Would you like it on your card, or in another way?",
    "Which payment method should I use for the refund?",
  ],
  [questions.seat]: [
    "Do you have a seat preference, window or aisle?",
    "Almost done! Which seat would you like?",
    "Please let me know whether you'd prefer an aisle seat or a window seat.",
  ],
  [questions.reason]: [
    "May I ask why you'd like to send it back?",
    "Is the item damaged, or did you change your mind?",
    "Could you please tell me the reason for this?",
  ],
  [questions.want]: [
    "I'm so sorry to hear that! Would you prefer a refund or an exchange?",
    "I apologize for the inconvenience. How would you like me to resolve this?",
    "That's unfortunate. What would you like us to do?",
  ],
  "Which address should it go to?": [
    "No problem! What's the new delivery address?",
    "Sure. Where should we send it instead?",
    "Please give me the full address that it should be shipped to.",
  ],
  "Which version would you like instead?": [
    "Which colour would you like instead?",
    "Happy to swap that. What would you like in exchange?",
    "What variant do you want in its place? Let me know your preference.",
  ],
  "Which train would you like instead?": [
    "When would you like to travel instead?",
    "What's your preferred new date and departure time?",
    "There are several other trains. Which of the other departures would you like?",
  ],
  "I am sorry, that is not possible: ": [
    "Unfortunately, I can't do that, because {rest}",
    "I'm sorry, but that's not possible under our policy: {rest}",
    "I've checked, and I'm afraid we are unable to do this, since {rest}",
  ],
  "That costs ": [
    "Just so you know, this comes with a cost of {sum}. Would you like me to proceed?",
    "I can do that for {sum}. Is that okay with you?",
    "There's a charge of {sum} for this. Please confirm that you'd like to go ahead.",
  ],
  "It is done.": ["All set!{rest}", "I've taken care of it for you.{rest}", "Your request has been processed.{rest}"],
  "I see.": ["I understand.{rest}", "Of course.{rest}", "No problem, nothing will be changed.{rest}"],
};

/** Says everything in one of three wordings, and asks at the end whether there is anything else. */
function voice(number: number): Player {
  let hasAsked = false;
  return (instance) => {
    const action = bestAction(instance) as string;
    if (action === "end_conversation" && !hasAsked) {
      hasAsked = true;
      return "Is there anything else I can help you with today?";
    }
    if (!action.startsWith("say ")) return action;
    const message = action.slice(4);
    const found = Object.entries(wordings).find(([opening]) => message.startsWith(opening));
    if (!found) throw new Error(`expected wordings for ${message}`);
    const [opening, list] = found;
    const [sum = ""] = /\$\d+/.exec(message) ?? [];
    return (list[number] as string).replace("{sum}", sum).replace("{rest}", message.slice(opening.length));
  };
}

const cases = ["orders", "refunds", "bookings"].flatMap((domain) =>
  [0, 1, 2].map((number) => [domain, number] as const),
);

test.each(cases)("in %s, the voice %i has the reward 1 for 60 tasks", (domain, number) => {
  const lost: string[] = [];
  for (let index = 0; index < 60; index++) {
    const { reward, text, service } = play(domain, index, voice(number));
    if (reward < 1) lost.push(`${service.conversation.needless.join()}\n${text.slice(text.indexOf("Customer:"))}`);
  }
  expect(lost.length, lost.slice(0, 2).join("\n\n")).toBe(0);
});

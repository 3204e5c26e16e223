/** The seats of a step, in an episode with several players. */
import { shortNumber } from "../../numbers.js";

interface OfSeatsProps {
  /** Seat that took the step. Undefined if the environment has one player. */
  seat: string | undefined;
  /** Rewards of the seats, if they have their own. */
  rewards: Readonly<Record<string, number>> | undefined;
}

/** Who took a step, and what each seat got for it. */
export function OfSeats({ seat, rewards }: OfSeatsProps) {
  return (
    <>
      {seat !== undefined && <span class="badge">{seat}</span>}
      {Object.entries(rewards ?? {}).map(([name, reward]) => (
        <span key={name}>
          {name} <b>{shortNumber(reward)}</b>
        </span>
      ))}
    </>
  );
}

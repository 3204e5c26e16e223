/** The caller's episodes of one task, with their actions and rewards. */
import { signal } from "@preact/signals";
import { api, type EpisodeSummary, type Step } from "../../api.js";
import { EpisodePages } from "../../parts/episode-pages.js";

export interface Member {
  readonly summary: EpisodeSummary;
  /** Actions and rewards of the first steps. */
  readonly steps: readonly Pick<Step, "action" | "reward">[];
  /** Sum of the rewards of these steps. */
  readonly total: number;
  readonly isCut: boolean;
}

/** Newest episodes of a group that are loaded. */
export const mostMembers = 64;
/** Steps of each episode that are loaded. */
export const mostSteps = 400;
const pageSize = 200;
const loadsAtOnce = 4;

export class Group {
  readonly members = signal<readonly Member[]>([]);
  readonly isLoading = signal(true);
  readonly hasMore = signal(false);
  readonly error = signal<unknown>(null);
  private isStopped = false;
  private readonly pages: EpisodePages;

  constructor(of: { environment: string; split: string; task: number }) {
    this.pages = new EpisodePages({ ...of, detail: "state" });
  }

  async load(): Promise<void> {
    try {
      await this.pages.loadMore(mostMembers);
      if (this.pages.error.value) throw this.pages.error.value;
      const summaries = this.pages.rows.value.slice(0, mostMembers);
      this.hasMore.value = !this.pages.isComplete.value || this.pages.rows.value.length > mostMembers;
      const members: Member[] = [];
      const waiting = summaries.entries();
      const work = async () => {
        for (const [i, summary] of waiting) {
          if (this.isStopped) return;
          members[i] = await memberOf(summary);
          this.members.value = members.filter(Boolean);
        }
      };
      await Promise.all(Array.from({ length: loadsAtOnce }, work));
    } catch (error) {
      this.error.value = error;
    } finally {
      this.isLoading.value = false;
    }
  }

  stop(): void {
    this.isStopped = true;
    this.pages.stop();
  }
}

async function memberOf(summary: EpisodeSummary): Promise<Member> {
  const steps: Pick<Step, "action" | "reward">[] = [];
  let next: number | null = 0;
  while (next !== null && steps.length < mostSteps) {
    const page = await api.steps(summary.episodeId, next, pageSize);
    steps.push(...page.steps.map(({ action, reward }) => ({ action, reward })));
    next = page.next;
  }
  return { summary, steps, total: steps.reduce((sum, { reward }) => sum + reward, 0), isCut: next !== null };
}

/**
 * Every error that ends a command of the trainer, with the exit status of the process. The gym, a policy's server and the
 * engine have errors of their own (`GymError`, `PolicyError`, `NativeError`), which `failure.ts` maps to the same statuses.
 *
 * Any other error is a bug: the command shows it with its stack.
 */

/** Exit statuses of a command; 0 is success. */
export const exitStatus = {
  /** A resource that the command uses failed: a disk, a gym, a model or a server. */
  failed: 1,
  /** The command line, the settings or a file that they name is invalid. */
  misused: 2,
  /** A signal ended the command. */
  stopped: 130,
} as const;

export interface ErrorEntry {
  readonly exit: keyof typeof exitStatus;
  /** Cause of the error, as a sentence. */
  readonly when: string;
}

export const errorTable = {
  ARGUMENT_INVALID: { exit: "misused", when: "A flag or an argument has a value that the command cannot use." },
  SETTINGS_INVALID: {
    exit: "misused",
    when: "A setting is unknown, has an invalid value or contradicts another setting.",
  },
  SETTINGS_CHANGED: { exit: "misused", when: "A setting that may not change differs from that of the output folder." },
  ALGORITHM_CONTRADICTION: { exit: "misused", when: "Settings of the algorithm contradict each other." },
  TASKS_INVALID: { exit: "misused", when: "A task list or task set is malformed, or the environment lacks the tasks." },
  POLICY_INVALID: { exit: "misused", when: "The name or argument of a policy is invalid." },
  MODEL_UNUSABLE: { exit: "misused", when: "The model has no tokenizer, or no chat template that can be used." },
  TEACHER_UNUSABLE: { exit: "misused", when: "The teacher has a different tokenizer, or too short a context." },
  DIALOGUES_INVALID: {
    exit: "misused",
    when: "A file of dialogues to clone cannot be read, or a line is no dialogue.",
  },
  CLONING_IMPOSSIBLE: { exit: "misused", when: "No expert episode and no dialogue can be cloned with these settings." },
  EXAMPLES_IMPOSSIBLE: { exit: "misused", when: "No worked examples can be made or read with these settings." },
  STATE_MISMATCH: { exit: "misused", when: "The saved state belongs to other tasks or settings." },
  FOLDER_IN_USE: { exit: "misused", when: "Another process is writing to the folder." },
  MEASUREMENT_CHANGED: { exit: "misused", when: "The file contains episodes of a different evaluation." },
  ADDRESS_UNUSABLE: { exit: "misused", when: "The endpoint cannot listen at its address." },

  BACKEND_UNREACHABLE: { exit: "failed", when: "The training server could not be reached for backend_wait_minutes." },
  BACKEND_REFUSED: { exit: "failed", when: "The training server refused a request, or its reply has another form." },
  BACKEND_LOST: {
    exit: "failed",
    when: "The training server lost the weights again and again, without a train step in between.",
  },
  CHECKPOINT_FAILED: { exit: "failed", when: "A checkpoint could not be read or written." },
  ROLLOUTS_FAILED: { exit: "failed", when: "Too many groups in a row failed, or had no gradient." },
  RUN_EMPTY: { exit: "failed", when: "The time limit ended a training run before its first train step." },
  EVALUATION_FAILED: { exit: "failed", when: "The remaining episodes of the evaluation would fail too." },
  REPORT_TEMPLATE_MISSING: { exit: "failed", when: "The build has no page for reports, or a damaged one." },
  EXPORT_FAILED: { exit: "failed", when: "The episodes could not be read, or the output could not be written." },

  BUILD_STOPPED: { exit: "stopped", when: "The build of the engine was stopped." },
} as const satisfies Record<string, ErrorEntry>;

export type TrainerErrorCode = keyof typeof errorTable;

/** An error that the user can fix. A command prints its message without a stack. */
export class TrainerError extends Error {
  override readonly name = "TrainerError";

  /** @param message `expected X, but received Y`, or a statement of the state; then the remedy, as a sentence */
  constructor(
    readonly code: TrainerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Exit status of a command that ends with this error. */
  get exitStatus(): number {
    return exitStatus[errorTable[this.code].exit];
  }
}

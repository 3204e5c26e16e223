# Generated from gym.openapi.json by `npm run generate`. Do not edit.
"""Types of the JSON objects of a gym. They are plain dicts at run time."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class Task(TypedDict):
    split: str
    index: int


class Tool(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of a call's arguments. Unless the action ends with `{arguments}`, all are required, and each is a string, an integer or a list of strings."""
    action: str
    """Template of the action for a call, such as `get {count} {item}`. The entries of a list are joined with `, `. A string whose placeholder is in quotation marks, `"{text}"`, is written as JSON. `{arguments}` at the end inserts all arguments as one JSON object."""


class ObservationPartImage(TypedDict):
    type: Literal["image"]
    mediaType: Literal["image/png", "image/svg+xml"]
    data: str


class ObservationPartJson(TypedDict):
    type: Literal["json"]
    data: Any


ObservationPart = Union[ObservationPartImage, ObservationPartJson]


_Error = TypedDict(
    "_Error",
    {
        "code": Literal["REQUEST_MALFORMED", "REQUEST_INVALID", "REQUEST_TOO_LARGE", "REQUEST_HEAD_TOO_LARGE", "REQUEST_TIMEOUT", "REQUEST_MEDIA_TYPE", "ROUTE_UNKNOWN", "METHOD_NOT_ALLOWED", "SOCKET_FRAME_BINARY", "SOCKET_EXPECTED", "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED", "RIGHT_MISSING", "ORIGIN_REFUSED", "ENVIRONMENT_UNKNOWN", "ENVIRONMENT_UNAVAILABLE", "OPTION_UNKNOWN", "SPLIT_UNKNOWN", "TASK_OUT_OF_RANGE", "EPISODE_UNKNOWN", "EPISODE_CLOSED", "EPISODE_ENDED", "EPISODE_FAILED", "EPISODE_LOST", "STEP_INDEX", "STEP_CONFLICT", "SEAT_UNKNOWN", "SEAT_TURN", "ACTION_TOO_LARGE", "BATCH_TOO_LARGE", "PAIR_INVALID", "IDEMPOTENCY_CONFLICT", "CALLER_GONE", "EXPERT_MISSING", "VERIFIER_MISSING", "RENDER_MISSING", "QUERY_UNKNOWN", "RUN_UNKNOWN", "RUN_PART_UNKNOWN", "RUN_DAMAGED", "RUNS_FAILED", "ENVIRONMENT_THREW", "ENVIRONMENT_HUNG", "ENVIRONMENT_OUT_OF_MEMORY", "ENVIRONMENT_RESULT", "ENVIRONMENT_DIVERGED", "ENVIRONMENT_TIMEOUT", "SANDBOX_MISSING", "SANDBOX_REFUSED", "SANDBOX_START", "SANDBOX_TIMEOUT", "SANDBOX_LOST", "SANDBOX_TOO_LARGE", "SANDBOX_NO_FILE", "SERVICE_FAILED", "REPLAY_TIMEOUT", "HOST_FAILED", "JUDGMENTS_FAILED", "EPISODE_ELSEWHERE", "LOG_FAILED", "LOG_CORRUPT", "SERVER_DRAINING", "SERVER_FAULT", "LIMIT_TOKEN_EPISODES", "LIMIT_TOKEN_SANDBOXES", "LIMIT_TOKEN_STEPS", "LIMIT_TOKEN_WAITS", "LIMIT_TOKEN_JUDGMENTS", "LIMIT_NOTES", "LIMIT_EPISODES", "LIMIT_TOKEN_LOG", "LIMIT_LOG", "DISK_LOW", "LIMIT_IN_FLIGHT", "LIMIT_EXPORTS", "SANDBOX_FULL", "LIMIT_PARTIAL", "LIMIT_UNSENT"],
        "class": Literal["action", "environment", "infrastructure", "capacity"],
        "message": str,
    },
)


class Error(_Error, total=False):
    details: dict[str, Any]


class _Verdict(TypedDict):
    why: str
    """Why the episode has this outcome, in one sentence."""


class Verdict(_Verdict, total=False):
    expected: Any
    """The right answer or final state, if the environment knows one."""


class Note(TypedDict):
    step: int
    text: str
    tags: list[str]
    atMs: int
    """Time at which the note was written, in milliseconds since 1970."""


_Episode = TypedDict(
    "_Episode",
    {
        "episodeId": str,
        "environment": str,
        "task": Task,
        "seed": int,
        "options": dict[str, str],
        "format": Literal["plain", "react", "tool_call", "code"],
        "prompt": str,
        "tools": list[Tool],
        "phase": Literal["running", "ended", "failed", "closed"],
        "index": int,
        "observation": str,
        "reward": float,
        "terminated": bool,
        "truncated": bool,
        "info": dict[str, Any],
        "expertUsed": bool,
        "run": Union[str, None],
        "policy": Union[str, None],
        "parent": Union[str, None],
        "failure": Union[Error, None],
        "outcome": Literal["running", "solved", "failed", "ended", "closed", "error"],
        "return": Union[float, None],
        "verdict": Union[Verdict, None],
        "maxSteps": int,
        "leaseMs": int,
        "createdAt": str,
    },
)


class Episode(_Episode, total=False):
    parts: list[ObservationPart]
    turn: str
    """Seat that acts next. Absent once the task has ended, and without seats."""
    goal: Union[str, None]
    """As in the list of episodes. Only `GET /v1/episodes/{episodeId}` gives it."""
    notes: list[Note]
    """People's notes. Only `GET /v1/episodes/{episodeId}` gives them."""


EpisodeSummaryState = TypedDict(
    "EpisodeSummaryState",
    {
        "phase": Literal["running", "ended", "failed", "closed"],
        "index": int,
        "reward": float,
        "goal": Union[str, None],
        "notes": int,
        "tags": list[str],
        "outcome": Literal["running", "solved", "failed", "ended", "closed", "error"],
        "return": Union[float, None],
        "verdict": Union[Verdict, None],
    },
)


class _EpisodeSummary(TypedDict):
    episodeId: str
    """Id from the reply that created the episode."""
    environment: str
    """`id@version`"""
    task: Task
    seed: int
    options: dict[str, str]
    """Value of each option of the environment."""
    format: Literal["plain", "react", "tool_call", "code"]
    """How the gym reads an action in what the agent writes."""
    run: Union[str, None]
    """Training run or evaluation that plays the episode, if the client named it."""
    policy: Union[str, None]
    """Policy that plays the episode, if the client named it."""
    parent: Union[str, None]
    """Id of the episode that this episode was forked from."""
    createdAt: str


class EpisodeSummary(_EpisodeSummary, total=False):
    state: EpisodeSummaryState
    """Present if the request has `detail=state`."""


class EpisodePage(TypedDict):
    episodes: list[EpisodeSummary]
    next: Union[str, None]
    """`before` of the next page; null on the last page. With a filter, a page may have fewer episodes."""


class _StepReply(TypedDict):
    index: int
    observation: str
    reward: float
    terminated: bool
    """Whether the task itself has ended."""
    truncated: bool
    """Whether a limit outside the task was reached."""
    info: dict[str, Any]
    """Facts for trainers and people. Not for the agent."""


class StepReply(_StepReply, total=False):
    read: Union[str, None]
    """Action that the gym read in the text; null if it found none, and the environment was not asked. Absent in the format `plain`."""
    parts: list[ObservationPart]
    turn: str
    """Seat that acts next, whose player the observation is for. Absent once the task has ended, and without seats."""
    rewards: dict[str, float]
    """Rewards of the seats in this step, 0 for a seat without one. Absent if the seats share the reward."""


class _TranscriptStep(TypedDict):
    index: int
    observation: str
    reward: float
    terminated: bool
    """Whether the task itself has ended."""
    truncated: bool
    """Whether a limit outside the task was reached."""
    info: dict[str, Any]
    """Facts for trainers and people. Not for the agent."""
    action: str
    """Text that the agent wrote."""
    atMs: Union[int, None]
    """Time at which the step was logged, in milliseconds since 1970. Steps that were logged together have the same time. A fork's shared steps have the times of its parent. Null in logs of older versions."""


class TranscriptStep(_TranscriptStep, total=False):
    read: Union[str, None]
    """Action that the gym read in the text; null if it found none, and the environment was not asked. Absent in the format `plain`."""
    parts: list[ObservationPart]
    turn: str
    """Seat that acts next, whose player the observation is for. Absent once the task has ended, and without seats."""
    rewards: dict[str, float]
    """Rewards of the seats in this step, 0 for a seat without one. Absent if the seats share the reward."""
    gymMs: int
    """Milliseconds that the environment took. Absent if it took less than one, and in logs of older versions."""


class Transcript(TypedDict):
    steps: list[TranscriptStep]
    next: Union[int, None]
    """`from` of the next page; null on the last page."""


class Advice(TypedDict):
    index: int
    """Index of the step that the action is for."""
    action: Union[str, None]
    """The action; null if the expert sees no way to the reward."""


class PicturePicture(TypedDict):
    type: Literal["image"]
    mediaType: Literal["image/png", "image/svg+xml"]
    data: str


class Picture(TypedDict):
    index: int
    """Number of steps so far."""
    picture: PicturePicture


class _EnvironmentSplitsValue(TypedDict):
    size: int
    summary: str


class EnvironmentSplitsValue(_EnvironmentSplitsValue, total=False):
    options: dict[str, str]
    """Values of options for tasks of this split, in place of the environment's defaults."""


class _EnvironmentOptionsValueValuesValue(TypedDict):
    summary: str


class EnvironmentOptionsValueValuesValue(_EnvironmentOptionsValueValuesValue, total=False):
    prompt: str
    tools: list[Tool]
    rewardRange: list[float]


class EnvironmentOptionsValue(TypedDict):
    summary: str
    values: dict[str, EnvironmentOptionsValueValuesValue]


class EnvironmentSeatsValue(TypedDict):
    summary: str
    prompt: str
    tools: list[Tool]


class EnvironmentQueriesValue(TypedDict):
    summary: str


class EnvironmentRequirementsItem(TypedDict):
    name: str
    available: bool
    detail: str
    howToGet: str


class Environment(TypedDict):
    id: str
    version: Union[int, str]
    """A number that rises with each change of behaviour, or the name of another engine for the same environment."""
    summary: str
    splits: dict[str, EnvironmentSplitsValue]
    defaultSplit: str
    """Split of a task that names none."""
    options: dict[str, EnvironmentOptionsValue]
    """Options of an episode. The first value of each option is its default, unless the split has another. A value's prompt, tools and rewardRange replace those of the environment."""
    maxSteps: int
    """Number of steps after which an episode is truncated."""
    rewardRange: list[float]
    """Lowest and highest reward of one step."""
    solvedReward: float
    """Lowest return of an episode whose task was solved."""
    familyKey: Union[str, None]
    """Key in the `info` of a reset that names the kind of task; null if there is none."""
    prompt: str
    """Instructions for an agent."""
    formats: list[Literal["plain", "react", "tool_call", "code"]]
    """Formats in which an episode can be opened."""
    promptFormat: Literal["plain", "react"]
    """Format for which the prompt asks."""
    tools: list[Tool]
    """Actions as tools, for agents that call tools; empty if there are none."""
    seats: Union[dict[str, EnvironmentSeatsValue], None]
    """Seats of an environment with several players, in the order of play; null if there is one player."""
    restore: Literal["clone", "replay", "none"]
    """How an episode is restored after its instance is gone; `none`: it cannot be."""
    queries: dict[str, EnvironmentQueriesValue]
    """Questions that a running episode answers without using up a step, by name."""
    hasExpert: bool
    hasVerifier: bool
    """Whether the environment scores answers without an episode."""
    rendersPictures: bool
    available: bool
    """Whether this machine meets all requirements."""
    requirements: list[EnvironmentRequirementsItem]


class TaskSummary(TypedDict):
    split: str
    index: int
    title: str
    """The goal of the task."""


class TaskPage(TypedDict):
    tasks: list[TaskSummary]
    next: Union[int, None]
    """`from` of the next page; null on the last page. A page of a search may have fewer tasks."""

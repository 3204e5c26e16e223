/** Generated from gym.openapi.json by `npm run generate`. Do not edit. */
export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers. */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the gym takes new work. */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the gym: a page for browsers, chosen by the Accept header, and JSON for programs. */
        get: operations["root"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environments of this gym, and whether this machine can run them. */
        get: operations["listEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes one environment: splits, limits, prompt, requirements. */
        get: operations["getEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{environment}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tasks of a split, a page at a time. */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's episodes, newest first, a page at a time. */
        get: operations["list"];
        put?: never;
        /** Opens an episode: resets the environment to a task. */
        post: operations["create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/createMany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens many episodes. If a request is repeated with its idempotency key, each entry gives the same episode again. */
        post: operations["createMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the state of an episode, for example after a dropped connection. */
        get: operations["get"];
        put?: never;
        post?: never;
        /** Closes an episode for good and frees its instance. Its transcript stays. */
        delete: operations["close"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/opening": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the result of the reset: the first observation. */
        get: operations["opening"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the steps of an episode with their replies, a page at a time. */
        get: operations["transcript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. A retry is safe: the same index and action give the stored reply. */
        post: operations["step"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/seats/{seat}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an episode as the player of one seat sees it, and can wait for the seat's turn. */
        get: operations["seat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/seats/{seat}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step as the player of a seat. The reply does not have what other seats observe. A retry is safe, as for `step`. */
        post: operations["seatStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stepMany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes many steps of one or more episodes. Steps of one episode are taken in the given order. */
        post: operations["stepMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Scores answers with the environment's verifier, without an episode, for trainers that generate answers themselves. */
        post: operations["score"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an episode that has taken the first steps of this one. */
        post: operations["fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/expert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the expert's next action. The call needs a token with the right `expert` and marks the episode for good. */
        get: operations["expert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a picture of a running episode, for people. */
        get: operations["render"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/queries/{query}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers one of the environment's queries about a running episode, without using up a step. A query that gives away the solution needs the right `expert` and marks the episode. */
        get: operations["query"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes a note on an episode or on one of its steps, and returns all notes of the episode. */
        post: operations["note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judgments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's judgments, newest first, a page at a time. */
        get: operations["listJudgments"];
        put?: never;
        /** Stores which of two episodes of one task a person finds better. */
        post: operations["judge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judgments/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a pair of the caller's episodes that a rater has not judged. */
        get: operations["nextPair"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judgments/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how far the raters of the caller's judgments agree. */
        get: operations["agreement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what the caller uses of the limits on episodes, steps of the day and bytes in the log. */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells who plays what at this gym and what failed last: for a token its own episodes, for callers without one all. */
        get: operations["now"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists training runs and evaluations, newest first. A caller with a token needs the right `runs`. */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes a run: its settings and, for an evaluation, its report. */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the metrics of a training run, from a record on. Repeat the call with `next` and `mark`. */
        get: operations["runMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the groups of a train step with their rollouts. */
        get: operations["runGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/groups/{group}/rollouts/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the tokens of a rollout with their log-probabilities, advantages and policy versions. */
        get: operations["runRollout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the episodes of an evaluation without their turns, a page at a time. */
        get: operations["runEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches the transcripts of an evaluation for a fraction of a second. Repeat the call with `next`. */
        get: operations["searchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/episodes/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an episode of an evaluation with its turns. */
        get: operations["runEpisode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the gyms of the fleet, and the shards of each. A gym that is alone lists itself. */
        get: operations["getFleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Plays the episode again in a fresh instance and compares each result with the log. Ends at the first difference, or when the client disconnects. */
        post: operations["replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a run as a file. A caller with a token needs the right `runs`. */
        get: operations["exportRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an episode as a file. */
        get: operations["exportEpisode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns several episodes as a file. */
        post: operations["exportEpisodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judgments/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the pairs that people judged as preference pairs, in JSON lines. */
        get: operations["exportJudgments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes/{episodeId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows an episode: its steps as server-sent events, from any index on, without renewing its lease. */
        get: operations["episodeEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the gym: its status once a second, the caller's changed episodes, and one episode if asked. */
        get: operations["gymEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says which environment this is. */
        get: operations["agentgymTextcraftHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id with the task of the same number. */
        post: operations["agentgymTextcraftCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a task. */
        post: operations["agentgymTextcraftReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymTextcraftStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation. */
        get: operations["agentgymTextcraftObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation, reward and end. */
        get: operations["agentgymTextcraftDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/textcraft/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id, and returns whether it existed. */
        post: operations["agentgymTextcraftClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says which environment this is. */
        get: operations["agentgymBabyaiHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id. It plays the task of the same number until its first reset. */
        post: operations["agentgymBabyaiCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a task. */
        post: operations["agentgymBabyaiReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymBabyaiStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation after the goal. Refuses a finished task. */
        get: operations["agentgymBabyaiObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id, and returns whether it existed. */
        post: operations["agentgymBabyaiClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/babyai/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns MiniGrid's picture of the grid as a data URL. */
        post: operations["agentgymBabyaiRender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id. It plays the first task until its first reset. */
        post: operations["agentgymSciworldCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a task. */
        post: operations["agentgymSciworldReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymSciworldStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/step_visual": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step, and returns the facts that a viewer shows. */
        post: operations["agentgymSciworldStepVisual"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id, and returns whether it existed. */
        post: operations["agentgymSciworldClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says which environment this is. */
        get: operations["agentgymSciworldHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation. */
        get: operations["agentgymSciworldObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest step and the task. */
        get: operations["agentgymSciworldDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/action_hint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the wordings of all actions, and the objects that actions can name. */
        get: operations["agentgymSciworldActionHint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the goals of the task, and which of them are met. */
        get: operations["agentgymSciworldGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/task_description": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the description of the task. */
        get: operations["agentgymSciworldTaskDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/object_tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the tree of visible objects. */
        get: operations["agentgymSciworldObjectTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/sciworld/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns all of these facts, with the first ten actions and objects. */
        get: operations["agentgymSciworldState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the server runs. */
        get: operations["agentgymWebarenaHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id. It has no task until its first reset. */
        post: operations["agentgymWebarenaCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a task. */
        post: operations["agentgymWebarenaReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymWebarenaStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation. */
        get: operations["agentgymWebarenaObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/observation_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns metadata of the newest observation: always empty. */
        get: operations["agentgymWebarenaObservationMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id. */
        post: operations["agentgymWebarenaClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the server runs. */
        get: operations["agentgymWebarenaLabHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id. It has no task until its first reset. */
        post: operations["agentgymWebarenaLabCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a task. */
        post: operations["agentgymWebarenaLabReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymWebarenaLabStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest observation. */
        get: operations["agentgymWebarenaLabObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/observation_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns metadata of the newest observation: always empty. */
        get: operations["agentgymWebarenaLabObservationMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/webarena-lab/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id. */
        post: operations["agentgymWebarenaLabClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the server runs. */
        get: operations["agentgymSearchqaHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates an environment id with the question of this number. */
        post: operations["agentgymSearchqaCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resets an environment id to a question, and returns the prompt. */
        post: operations["agentgymSearchqaReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step. */
        post: operations["agentgymSearchqaStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/observation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the prompt with the question. */
        get: operations["agentgymSearchqaObservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentgym/searchqa/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Frees an environment id. */
        post: operations["agentgymSearchqaClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the server answers. */
        get: operations["orsHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the version of the gym. */
        get: operations["orsVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/list_environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environments. */
        get: operations["orsListEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/create_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns a new session's id as server-sent events. */
        post: operations["orsCreateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a session's episode. A repeated request has no effect. */
        post: operations["orsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renews the lease of a session. */
        post: operations["orsPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes a session and its episode. */
        post: operations["orsDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes a session and its episode. */
        post: operations["orsDeleteSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools of an environment. */
        get: operations["orsTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/task_tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools of a session's episode. */
        get: operations["orsTaskTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the instructions and the first observation. */
        get: operations["orsPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a tool, which is one step. The result comes as server-sent events. */
        post: operations["orsCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the splits of an environment. */
        get: operations["orsSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/num_tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts the tasks of a split. */
        post: operations["orsNumTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns a task. */
        post: operations["orsTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists all tasks of a split. */
        post: operations["orsTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/task_range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists the tasks from `start` to `stop`, without `stop`. */
        post: operations["orsTaskRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools of an environment. */
        get: operations["orsEnvironmentTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/task_tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools of a session's episode. */
        get: operations["orsEnvironmentTaskTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the instructions and the first observation. */
        get: operations["orsEnvironmentPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a tool, which is one step. The result comes as server-sent events. */
        post: operations["orsEnvironmentCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the splits of an environment. */
        get: operations["orsEnvironmentSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/num_tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts the tasks of a split. */
        post: operations["orsEnvironmentNumTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns a task. */
        post: operations["orsEnvironmentTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists all tasks of a split. */
        post: operations["orsEnvironmentTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{environment}/task_range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists the tasks from `start` to `stop`, without `stop`. */
        post: operations["orsEnvironmentTaskRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens an episode, and sets the cookie of its session. */
        post: operations["nemoGymEnvironmentReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the steps of a model's response. */
        post: operations["nemoGymEnvironmentStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes the episode of a session. */
        post: operations["nemoGymEnvironmentClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the environment is served. */
        get: operations["nemoGymEnvironmentHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tasks as the rows of a dataset. */
        get: operations["nemoGymEnvironmentRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nemo-gym/{environment}/aggregate_metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns statistics over rollouts. */
        post: operations["nemoGymEnvironmentAggregateMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the environment is served. */
        get: operations["openenvEnvironmentHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the environment. */
        get: operations["openenvEnvironmentMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the schemas of actions, observations and states. */
        get: operations["openenvEnvironmentSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens an episode. */
        post: operations["openenvEnvironmentReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes one step of an episode. */
        post: operations["openenvEnvironmentStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the state of an episode. */
        get: operations["openenvEnvironmentState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers a JSON-RPC request. */
        post: operations["openenvEnvironmentMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/list_environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the name. */
        get: operations["openenvEnvironmentListEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/{name}/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the splits of an environment. */
        get: operations["openenvEnvironmentNameSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/{name}/num_tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts the tasks of a split. */
        post: operations["openenvEnvironmentNameNumTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/{name}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns a task. */
        post: operations["openenvEnvironmentNameTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/{name}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists all tasks of a split. */
        post: operations["openenvEnvironmentNameTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openenv/{environment}/{name}/task_range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lists the tasks from `start` to `stop`, without `stop`. */
        post: operations["openenvEnvironmentNameTaskRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Advice: {
            /** @description Index of the step that the action is for. */
            index: number;
            /** @description The action; null if the expert sees no way to the reward. */
            action: string | null;
        };
        AgentgymBabyaiCloseRequest: {
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymBabyaiCreateRequest: {
            [key: string]: unknown;
        };
        AgentgymBabyaiDetail: {
            observation: string;
            reward: number;
            /** @description Sum of all rewards. AgentGym's client uses it as the reward. */
            score: number;
            done: boolean;
            /** @constant */
            deleted: false;
        };
        AgentgymBabyaiOpen: {
            id: number;
        };
        AgentgymBabyaiRenderRequest: {
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymBabyaiResetRequest: {
            id: number;
            data_idx: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymBabyaiStep: {
            observation: string;
            reward: number;
            /** @description Sum of all rewards. AgentGym's client uses it as the reward. */
            score: number;
            done: boolean;
        };
        AgentgymBabyaiStepRequest: {
            id: number;
            action: string;
        } & {
            [key: string]: unknown;
        };
        AgentgymFailure: {
            error: string;
        };
        AgentgymSciworldActionHint: {
            possible_actions: string[];
            possible_objects: string[];
        };
        AgentgymSciworldCloseRequest: {
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymSciworldCreateRequest: {
            [key: string]: unknown;
        };
        AgentgymSciworldDetail: {
            observation: string;
            /** @description Gain in score of this step. */
            reward: number;
            /** @description Score from 0 to 100, or negative if the task has failed. AgentGym's client uses it as the reward. */
            score: number;
            done: boolean;
            task_name: string;
            var_num: number;
            task_description: string;
            /** @constant */
            deleted: false;
        };
        AgentgymSciworldOpen: {
            id: number;
        };
        AgentgymSciworldResetRequest: {
            id: number;
            data_idx: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymSciworldState: {
            possible_actions: string[];
            possible_objects: string[];
            observation: string;
            inventory: string;
            task_description: string;
            goal_progress: string;
            current_moves: number;
            environment_info: components["schemas"]["AgentgymSciworldDetail"];
        };
        AgentgymSciworldStep: {
            observation: string;
            /** @description Gain in score of this step. */
            reward: number;
            /** @description Score from 0 to 100, or negative if the task has failed. AgentGym's client uses it as the reward. */
            score: number;
            done: boolean;
        };
        AgentgymSciworldStepRequest: {
            id: number;
            action: string;
        } & {
            [key: string]: unknown;
        };
        AgentgymSciworldVisualStep: {
            observation: string;
            /** @description Gain in score of this step. */
            reward: number;
            /** @description Score from 0 to 100, or negative if the task has failed. AgentGym's client uses it as the reward. */
            score: number;
            done: boolean;
            /** @description The `info` of the Python API. */
            info: {
                [key: string]: unknown;
            };
            /** @description null after the end of the task. */
            object_tree: {
                [key: string]: unknown;
            } | null;
            inventory: string;
            moves: number;
        };
        AgentgymSciworldVisualStepRequest: components["schemas"]["AgentgymSciworldStepRequest"];
        AgentgymSearchqaCloseRequest: {
            env_idx: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymSearchqaCreateRequest: {
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymSearchqaResetRequest: {
            env_idx: number;
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymSearchqaStep: {
            observation: string;
            reward: number;
            done: boolean;
            info: null;
        };
        AgentgymSearchqaStepRequest: {
            env_idx: number;
            action: string;
        } & {
            [key: string]: unknown;
        };
        AgentgymTextcraftCloseRequest: {
            id: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymTextcraftCreateRequest: {
            commands?: string | null;
            goal?: string | null;
        } & {
            [key: string]: unknown;
        };
        AgentgymTextcraftDetail: {
            observation: string;
            reward: number;
            done: boolean;
            /** @constant */
            deleted: false;
        };
        AgentgymTextcraftOpen: {
            observation: string;
            reward: number;
            done: boolean;
            id: number;
        };
        AgentgymTextcraftResetRequest: {
            id: number;
            data_idx?: number | null;
        } & {
            [key: string]: unknown;
        };
        AgentgymTextcraftStep: {
            observation: string;
            reward: number;
            done: boolean;
        };
        AgentgymTextcraftStepRequest: {
            id: number;
            action: string;
        } & {
            [key: string]: unknown;
        };
        AgentgymValidationFailure: {
            detail: {
                type: string;
                loc: string[];
                msg: string;
            }[];
        };
        AgentgymWebarenaCloseRequest: {
            env_idx: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymWebarenaCreateRequest: {
            [key: string]: unknown;
        };
        AgentgymWebarenaOpen: {
            env_idx: number;
        };
        AgentgymWebarenaReset: {
            observation: string;
            sites: string[] | "Error";
            /** @description The goal of the task. */
            object: string;
        };
        AgentgymWebarenaResetRequest: {
            env_idx: number;
            idx: number;
            seed?: number;
        } & {
            [key: string]: unknown;
        };
        AgentgymWebarenaStep: {
            observation: string;
            /** @description The score once terminated; 0 before. */
            reward: number;
            terminated: boolean;
            /** @constant */
            truncated: false;
            info: null;
        };
        AgentgymWebarenaStepRequest: {
            env_idx: number;
            action: string;
        } & {
            [key: string]: unknown;
        };
        Agreement: {
            /** @description Number of pairs of episodes that were judged. */
            judgedPairs: number;
            raters: {
                name: string;
                judged: number;
            }[];
            /** @description Agreement of each two raters, from their newest judgments. */
            pairs: {
                raters: string[];
                /** @description Number of pairs of episodes that both raters judged. */
                shared: number;
                /** @description Number of these on which both made the same choice. */
                agreed: number;
                /** @description Cohen's kappa; null if both made the same single choice throughout. */
                kappa: number | null;
            }[];
            /** @description Krippendorff's alpha of all raters, for nominal data; null if no two raters judged the same pair. */
            alpha: number | null;
        };
        Answer: {
            /** @description Number of steps so far. */
            index: number;
            /** @description JSON value in the format that the environment's `queries` describes. */
            answer: unknown;
        };
        AnswerReward: {
            reward: number;
            /** @description Details of the reward. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description The right answer, if the caller's token has the right `expert`. */
            expected?: unknown;
        };
        Bounded: {
            used: number;
            /** @description Null if there is no limit. */
            limit: number | null;
        };
        ChangedEpisodes: {
            episodeIds: string[];
            /** @description Whether further episodes changed, which are not listed. */
            more: boolean;
        };
        Closed: {
            /** @description Id from the reply that created the episode. */
            episodeId: string;
            /** @constant */
            phase: "closed";
        };
        CreateManyReply: {
            /** @description In the order of the requests. */
            results: (components["schemas"]["Episode"] | components["schemas"]["ErrorReply"])[];
        };
        CreateManyRequest: {
            episodes: components["schemas"]["CreateRequest"][];
        };
        CreateRequest: {
            /** @description `textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for an engine with a name. */
            environment: string;
            task: {
                /** @description Default: the environment's default split. */
                split?: string;
                index: number;
            };
            /**
             * @description Seed of all randomness in the episode.
             * @default 0
             */
            seed?: number;
            /** @description Values for the environment's options. Missing ones get the environment's defaults. */
            options?: {
                [key: string]: string;
            };
            /**
             * @description How the gym reads an action in what the agent writes. `plain`: the text is the action. `react`: the line after `Action:`. `tool_call`: a call of one of the tools. `code`: one call in Python. Default: `plain`.
             * @enum {string}
             */
            format?: "plain" | "react" | "tool_call" | "code";
            /** @description Number of steps after which the episode is truncated. Default: the environment's own limit. */
            maxSteps?: number;
            /** @description Milliseconds without a call after which the instance is freed. The next call restores it. */
            leaseMs?: number;
            /** @description Name of the training run or evaluation that plays the episode, for lists. */
            run?: string;
            /** @description Name of the policy that plays the episode, for lists. */
            policy?: string;
        };
        Environment: {
            id: string;
            /** @description A number that rises with each change of behaviour, or the name of another engine for the same environment. */
            version: number | string;
            summary: string;
            splits: {
                [key: string]: {
                    size: number;
                    summary: string;
                    /** @description Values of options for tasks of this split, in place of the environment's defaults. */
                    options?: {
                        [key: string]: string;
                    };
                };
            };
            /** @description Split of a task that names none. */
            defaultSplit: string;
            /** @description Options of an episode. The first value of each option is its default, unless the split has another. A value's prompt, tools and rewardRange replace those of the environment. */
            options: {
                [key: string]: {
                    summary: string;
                    values: {
                        [key: string]: {
                            summary: string;
                            prompt?: string;
                            readonly tools?: components["schemas"]["Tool"][];
                            readonly rewardRange?: number[];
                        };
                    };
                };
            };
            /** @description Number of steps after which an episode is truncated. */
            maxSteps: number;
            /** @description Lowest and highest reward of one step. */
            rewardRange: number[];
            /** @description Lowest return of an episode whose task was solved. */
            solvedReward: number;
            /** @description Key in the `info` of a reset that names the kind of task; null if there is none. */
            familyKey: string | null;
            /** @description Instructions for an agent. */
            prompt: string;
            /** @description Formats in which an episode can be opened. */
            readonly formats: ("plain" | "react" | "tool_call" | "code")[];
            /**
             * @description Format for which the prompt asks.
             * @enum {string}
             */
            promptFormat: "plain" | "react";
            /** @description Actions as tools, for agents that call tools; empty if there are none. */
            tools: components["schemas"]["Tool"][];
            /** @description Seats of an environment with several players, in the order of play; null if there is one player. */
            seats: {
                [key: string]: {
                    summary: string;
                    prompt: string;
                    readonly tools: components["schemas"]["Tool"][];
                };
            } | null;
            /**
             * @description How an episode is restored after its instance is gone; `none`: it cannot be.
             * @enum {string}
             */
            restore: "clone" | "replay" | "none";
            /** @description Questions that a running episode answers without using up a step, by name. */
            queries: {
                [key: string]: {
                    summary: string;
                };
            };
            hasExpert: boolean;
            /** @description Whether the environment scores answers without an episode. */
            hasVerifier: boolean;
            rendersPictures: boolean;
            /** @description Whether this machine meets all requirements. */
            available: boolean;
            requirements: {
                name: string;
                available: boolean;
                detail: string;
                howToGet: string;
            }[];
        };
        EnvironmentList: {
            environments: components["schemas"]["Environment"][];
        };
        Episode: {
            /** @description Id from the reply that created the episode. */
            episodeId: string;
            /** @description `id@version` */
            environment: string;
            task: components["schemas"]["Task"];
            seed: number;
            /** @description Value of each option of the environment. */
            options: {
                [key: string]: string;
            };
            /**
             * @description How the gym reads an action in what the agent writes.
             * @enum {string}
             */
            format: "plain" | "react" | "tool_call" | "code";
            /** @description Instructions for an agent that plays with these options and in this format. */
            prompt: string;
            /** @description Actions as function definitions, for an episode with these options. Empty if actions are only text. */
            readonly tools: components["schemas"]["Tool"][];
            /**
             * @description `running`: The episode takes steps. `ended`: The last step terminated or truncated the episode. `failed`: The environment failed. `failure` says how. `closed`: The owner deleted the episode.
             * @enum {string}
             */
            phase: "running" | "ended" | "failed" | "closed";
            /** @description Number of steps so far, and index of the next step. */
            index: number;
            /** @description The newest observation. */
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            /** @description Reward of the last step, or 0 before the first step. */
            reward: number;
            terminated: boolean;
            truncated: boolean;
            /** @description Seat that acts next. Absent once the task has ended, and without seats. */
            turn?: string;
            /** @description Facts for trainers and people. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description Whether the expert's advice was requested in this episode. */
            expertUsed: boolean;
            /** @description Training run or evaluation that plays the episode, if the client named it. */
            run: string | null;
            /** @description Policy that plays the episode, if the client named it. */
            policy: string | null;
            /** @description Id of the episode that this episode was forked from. */
            parent: string | null;
            failure: components["schemas"]["Error"] | null;
            /**
             * @description `running`: The episode takes steps. `solved`: The task was solved. `failed`: The episode has ended, and its task was not solved. `ended`: The episode has ended in an older version of Palestra, which stored no verdict. `closed`: The owner closed the episode before its end. `error`: The environment failed.
             * @enum {string}
             */
            outcome: "running" | "solved" | "failed" | "ended" | "closed" | "error";
            /** @description Sum of all rewards, once a step has ended the episode. Null before, and in logs of older versions. */
            return: number | null;
            /** @description The reason for the outcome of an ended episode. Null before the end, and for a token without the right `expert`. */
            verdict: components["schemas"]["Verdict"] | null;
            /** @description As in the list of episodes. Only `GET /v1/episodes/{episodeId}` gives it. */
            goal?: string | null;
            /** @description People's notes. Only `GET /v1/episodes/{episodeId}` gives them. */
            readonly notes?: components["schemas"]["Note"][];
            /** @description Number of steps after which the episode is truncated. */
            maxSteps: number;
            leaseMs: number;
            /** Format: date-time */
            createdAt: string;
        };
        EpisodeEvent: components["schemas"]["TranscriptStep"] | components["schemas"]["EpisodeState"] | components["schemas"]["Error"];
        EpisodePage: {
            episodes: components["schemas"]["EpisodeSummary"][];
            /** @description `before` of the next page; null on the last page. With a filter, a page may have fewer episodes. */
            next: string | null;
        };
        EpisodeState: {
            /** @description Id from the reply that created the episode. */
            episodeId: string;
            /** @enum {string} */
            phase: "running" | "ended" | "failed" | "closed";
            /** @description Number of steps so far. All of them were sent before this event. */
            index: number;
            /** @description Whether the episode has an instance. A running episode without one is parked until its next call. */
            live: boolean;
            expertUsed: boolean;
            failure: components["schemas"]["Error"] | null;
        };
        EpisodeSummary: {
            /** @description Id from the reply that created the episode. */
            episodeId: string;
            /** @description `id@version` */
            environment: string;
            task: components["schemas"]["Task"];
            seed: number;
            /** @description Value of each option of the environment. */
            options: {
                [key: string]: string;
            };
            /**
             * @description How the gym reads an action in what the agent writes.
             * @enum {string}
             */
            format: "plain" | "react" | "tool_call" | "code";
            /** @description Training run or evaluation that plays the episode, if the client named it. */
            run: string | null;
            /** @description Policy that plays the episode, if the client named it. */
            policy: string | null;
            /** @description Id of the episode that this episode was forked from. */
            parent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Present if the request has `detail=state`. */
            state?: {
                /**
                 * @description `running`: The episode takes steps. `ended`: The last step terminated or truncated the episode. `failed`: The environment failed. `failure` says how. `closed`: The owner deleted the episode.
                 * @enum {string}
                 */
                phase: "running" | "ended" | "failed" | "closed";
                /** @description Number of steps so far, and index of the next step. */
                index: number;
                /** @description Reward of the last step, or 0 before the first step. */
                reward: number;
                /** @description The goal in one sentence, or the title of the task. Null if the gym does not have the environment. */
                goal: string | null;
                /** @description Number of notes on the episode and its steps. */
                notes: number;
                /** @description Tags of these notes. */
                readonly tags: string[];
                /**
                 * @description `running`: The episode takes steps. `solved`: The task was solved. `failed`: The episode has ended, and its task was not solved. `ended`: The episode has ended in an older version of Palestra, which stored no verdict. `closed`: The owner closed the episode before its end. `error`: The environment failed.
                 * @enum {string}
                 */
                outcome: "running" | "solved" | "failed" | "ended" | "closed" | "error";
                /** @description Sum of all rewards, once a step has ended the episode. Null before, and in logs of older versions. */
                return: number | null;
                /** @description The reason for the outcome of an ended episode. Null before the end, and for a token without the right `expert`. */
                verdict: components["schemas"]["Verdict"] | null;
            };
        };
        Error: {
            /**
             * @description Code of the error. openapi/errors.md lists all codes.
             * @enum {string}
             */
            code: "REQUEST_MALFORMED" | "REQUEST_INVALID" | "REQUEST_TOO_LARGE" | "REQUEST_HEAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "REQUEST_MEDIA_TYPE" | "ROUTE_UNKNOWN" | "METHOD_NOT_ALLOWED" | "SOCKET_FRAME_BINARY" | "SOCKET_EXPECTED" | "TOKEN_MISSING" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "RIGHT_MISSING" | "ORIGIN_REFUSED" | "ENVIRONMENT_UNKNOWN" | "ENVIRONMENT_UNAVAILABLE" | "OPTION_UNKNOWN" | "SPLIT_UNKNOWN" | "TASK_OUT_OF_RANGE" | "EPISODE_UNKNOWN" | "EPISODE_CLOSED" | "EPISODE_ENDED" | "EPISODE_FAILED" | "EPISODE_LOST" | "STEP_INDEX" | "STEP_CONFLICT" | "SEAT_UNKNOWN" | "SEAT_TURN" | "ACTION_TOO_LARGE" | "BATCH_TOO_LARGE" | "PAIR_INVALID" | "IDEMPOTENCY_CONFLICT" | "CALLER_GONE" | "EXPERT_MISSING" | "VERIFIER_MISSING" | "RENDER_MISSING" | "QUERY_UNKNOWN" | "RUN_UNKNOWN" | "RUN_PART_UNKNOWN" | "RUN_DAMAGED" | "RUNS_FAILED" | "ENVIRONMENT_THREW" | "ENVIRONMENT_HUNG" | "ENVIRONMENT_OUT_OF_MEMORY" | "ENVIRONMENT_RESULT" | "ENVIRONMENT_DIVERGED" | "ENVIRONMENT_TIMEOUT" | "SANDBOX_MISSING" | "SANDBOX_REFUSED" | "SANDBOX_START" | "SANDBOX_TIMEOUT" | "SANDBOX_LOST" | "SANDBOX_TOO_LARGE" | "SANDBOX_NO_FILE" | "SERVICE_FAILED" | "REPLAY_TIMEOUT" | "HOST_FAILED" | "JUDGMENTS_FAILED" | "EPISODE_ELSEWHERE" | "LOG_FAILED" | "LOG_CORRUPT" | "SERVER_DRAINING" | "SERVER_FAULT" | "LIMIT_TOKEN_EPISODES" | "LIMIT_TOKEN_SANDBOXES" | "LIMIT_TOKEN_STEPS" | "LIMIT_TOKEN_WAITS" | "LIMIT_TOKEN_JUDGMENTS" | "LIMIT_NOTES" | "LIMIT_EPISODES" | "LIMIT_TOKEN_LOG" | "LIMIT_LOG" | "DISK_LOW" | "LIMIT_IN_FLIGHT" | "LIMIT_EXPORTS" | "SANDBOX_FULL" | "LIMIT_PARTIAL" | "LIMIT_UNSENT";
            /**
             * @description Cause of the error. `action`: a mistake of the caller. `environment`: a bug in the environment. `infrastructure`: a failure of the gym's machinery. `capacity`: a limit is reached, so try again later.
             * @enum {string}
             */
            class: "action" | "environment" | "infrastructure" | "capacity";
            /** @description `expected …, but received …`, or a statement such as `The server is shutting down.` */
            message: string;
            details?: {
                [key: string]: unknown;
            };
        };
        ErrorReply: {
            error: components["schemas"]["Error"];
        };
        EvaluationEpisode: {
            index: number;
            played: {
                environment: string;
                split: string;
                index: number;
            } & {
                [key: string]: unknown;
            };
            sample: number;
            status: string;
            score: number;
            solved: boolean;
            opening: string;
            /** @description Instructions of the environment. */
            prompt?: string;
            turns: ({
                reply: string;
                action?: string;
                observation: string;
                reward: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        EvaluationEpisodes: {
            episodes: ({
                /** @description Number of the episode in the file. */
                index: number;
                played: {
                    environment: string;
                    split: string;
                    index: number;
                } & {
                    [key: string]: unknown;
                };
                sample: number;
                family?: string;
                status: string;
                score: number;
                solved: boolean;
                /** @description Kind of failure. Absent for a solved episode. */
                failureKind?: string;
                wallMs: number;
                steps: number;
                /** @description First observation, cut to 200 characters. */
                opening: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Value of `from` for the next page, or null. */
            next: number | null;
            /** @description Number of episodes that match. */
            matching: number;
            /** @description Number of episodes in the file. A failed episode that was played again counts once. */
            total: number;
            live: boolean;
        };
        EvaluationSearch: {
            episodes: ({
                /** @description Number of the episode in the file. */
                index: number;
                played: {
                    environment: string;
                    split: string;
                    index: number;
                } & {
                    [key: string]: unknown;
                };
                sample: number;
                family?: string;
                status: string;
                score: number;
                solved: boolean;
                /** @description Kind of failure. Absent for a solved episode. */
                failureKind?: string;
                wallMs: number;
                steps: number;
                /** @description First observation, cut to 200 characters. */
                opening: string;
                /** @description Text around the first word that was found. */
                found: {
                    /** @description Number of the turn, from 1. */
                    turn: number | null;
                    text: string;
                };
            } & {
                [key: string]: unknown;
            })[];
            /** @description Value of `from` to search further, or null at the end of the file. */
            next: number | null;
            /** @description Line before which the search ended. A live evaluation adds lines from there on. */
            end: number;
            /** @description Number of episodes before that line. */
            searched: number;
            /** @description Number of episodes in the file. */
            total: number;
            live: boolean;
        };
        EvaluationSummary: {
            environment: string | null;
            split: string | null;
            policy: string | null;
            /** @description Episodes of each task. */
            k: number | null;
            /** @description Episodes that were played to their end. */
            episodes: number;
            /** @description Episodes that were asked for, if known. */
            planned: number | null;
            /** @description Progress of the newest `palestra eval` in the folder, or null if it wrote no plan. */
            progress: {
                /** @description Episodes of the plan that are played, lost ones included. */
                done: number;
                planned: number;
                /** @description Seconds until the run ends, at its rate so far; null before its first episode. */
                secondsLeft: number | null;
            } | null;
            successRate: number | null;
            meanScore: number | null;
        };
        ExportRequest: {
            format: ("html" | "eval" | "atif" | "json") | ("openai" | "agentgym" | "steps" | "preferences");
            /** @description Episodes to export. Default: the caller's newest ones. */
            episodeIds?: string[];
            /**
             * @description Pairs of `preferences`: the best and the worst episode of each task, all episodes of a task whose returns differ, or the pairs that people judged.
             * @default best
             * @enum {string}
             */
            pairs?: "best" | "all" | "judged";
            /** @description Without `episodeIds`: only episodes of this environment. */
            environment?: string;
            /** @description Without `episodeIds`: only episodes of this split. */
            split?: string;
            /**
             * @description Without `episodeIds`: most episodes to export.
             * @default 1000
             */
            limit?: number;
        };
        Fleet: {
            /**
             * @description Number of shards. The shard of the episode `ep-<key>-<nonce>` is `key % shards`.
             * @constant
             */
            shards: 4096;
            /**
             * @description What an answered step survives: a crash of the log's machine, or with a standby its loss.
             * @enum {string}
             */
            durability: "local" | "replicated";
            /** @description The gyms that are live. The gym that has answered is the first. */
            gyms: components["schemas"]["FleetGym"][];
        };
        FleetGym: {
            /** @description Number of this start of the gym. 0 for a gym that is alone. */
            incarnation: number;
            /** @description URL under which the other gyms reach this gym. Null for a gym that is alone. */
            address: string | null;
            /** @description Whether this gym has answered the call. */
            isSelf: boolean;
            /** @description Whether the gym drains, or does not listen yet: it gets no shards and no new episodes. */
            isDraining: boolean;
            /** @description Version of Palestra. Null until the gym has described itself. */
            version: string | null;
            /** @description Environments that the gym can run, as `id@version`. */
            environments: string[];
            /** @description Live episodes. */
            episodes: number;
            stepsPerSecond: number;
            /** @description Number of further episodes that could hold a sandbox. */
            freeSandboxes: number;
            /** @description Milliseconds since the gym has renewed its membership. */
            ageMs: number;
            /** @description Shards of the gym: the first and the last of each range. */
            shards: [
                number,
                number
            ][];
        };
        ForkRequest: {
            /** @description Number of steps to keep. Default: all. */
            index?: number;
        };
        GymEvent: components["schemas"]["GymStatus"] | components["schemas"]["GymHistory"] | components["schemas"]["ChangedEpisodes"] | components["schemas"]["TranscriptStep"] | components["schemas"]["EpisodeState"] | components["schemas"]["Error"];
        GymHistory: {
            /** @description The last five minutes, a second each, oldest first. */
            samples: components["schemas"]["GymSample"][];
        };
        GymSample: {
            /**
             * Format: date-time
             * @description End of the second.
             */
            at: string;
            stepsPerSecond: number;
            /** @description Median duration of a step in this second; null without a step. */
            p50Ms: number | null;
            p95Ms: number | null;
            liveEpisodes: number;
            /** @description Bytes of steps written to the log since the start. */
            writtenBytes: number;
        };
        GymStatus: {
            version: string;
            /**
             * Format: date-time
             * @description Start of the gym. It tells a restart from a lost connection.
             */
            startedAt: string;
            now: components["schemas"]["GymSample"];
            /** @description Live episodes of all callers. */
            episodes: components["schemas"]["Bounded"];
            /** @description Live episodes of all callers that hold a sandbox. */
            sandboxEpisodes: number;
            /** @description Steps of all callers that wait for their reply. */
            stepsInFlight: components["schemas"]["Bounded"];
            /** @description Worker threads that are ready, and that the gym keeps. */
            hosts: components["schemas"]["Bounded"];
            /** @description Worker threads and processes that ended and were replaced, since the start. */
            hostsLost: number;
            /** @description Steps since the start. */
            steps: number;
            /** @description Episodes created since the start. */
            created: number;
            /** @description Failed episodes since the start, by class, and resets that failed. */
            failures: {
                [key: string]: number;
            };
            log: {
                fileBytes: number;
                /** @description Bytes of the log that hold data. */
                bytes: components["schemas"]["Bounded"];
                isWritable: boolean;
            };
            /** @description Disk of the log, or null if its space is unknown. */
            disk: {
                freeBytes: number;
                /** @description Free bytes that new episodes need. */
                neededBytes: number;
                totalBytes: number;
            } | null;
            /** @description Error of new episodes of every caller, or null. */
            refusal: ("REQUEST_MALFORMED" | "REQUEST_INVALID" | "REQUEST_TOO_LARGE" | "REQUEST_HEAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "REQUEST_MEDIA_TYPE" | "ROUTE_UNKNOWN" | "METHOD_NOT_ALLOWED" | "SOCKET_FRAME_BINARY" | "SOCKET_EXPECTED" | "TOKEN_MISSING" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "RIGHT_MISSING" | "ORIGIN_REFUSED" | "ENVIRONMENT_UNKNOWN" | "ENVIRONMENT_UNAVAILABLE" | "OPTION_UNKNOWN" | "SPLIT_UNKNOWN" | "TASK_OUT_OF_RANGE" | "EPISODE_UNKNOWN" | "EPISODE_CLOSED" | "EPISODE_ENDED" | "EPISODE_FAILED" | "EPISODE_LOST" | "STEP_INDEX" | "STEP_CONFLICT" | "SEAT_UNKNOWN" | "SEAT_TURN" | "ACTION_TOO_LARGE" | "BATCH_TOO_LARGE" | "PAIR_INVALID" | "IDEMPOTENCY_CONFLICT" | "CALLER_GONE" | "EXPERT_MISSING" | "VERIFIER_MISSING" | "RENDER_MISSING" | "QUERY_UNKNOWN" | "RUN_UNKNOWN" | "RUN_PART_UNKNOWN" | "RUN_DAMAGED" | "RUNS_FAILED" | "ENVIRONMENT_THREW" | "ENVIRONMENT_HUNG" | "ENVIRONMENT_OUT_OF_MEMORY" | "ENVIRONMENT_RESULT" | "ENVIRONMENT_DIVERGED" | "ENVIRONMENT_TIMEOUT" | "SANDBOX_MISSING" | "SANDBOX_REFUSED" | "SANDBOX_START" | "SANDBOX_TIMEOUT" | "SANDBOX_LOST" | "SANDBOX_TOO_LARGE" | "SANDBOX_NO_FILE" | "SERVICE_FAILED" | "REPLAY_TIMEOUT" | "HOST_FAILED" | "JUDGMENTS_FAILED" | "EPISODE_ELSEWHERE" | "LOG_FAILED" | "LOG_CORRUPT" | "SERVER_DRAINING" | "SERVER_FAULT" | "LIMIT_TOKEN_EPISODES" | "LIMIT_TOKEN_SANDBOXES" | "LIMIT_TOKEN_STEPS" | "LIMIT_TOKEN_WAITS" | "LIMIT_TOKEN_JUDGMENTS" | "LIMIT_NOTES" | "LIMIT_EPISODES" | "LIMIT_TOKEN_LOG" | "LIMIT_LOG" | "DISK_LOW" | "LIMIT_IN_FLIGHT" | "LIMIT_EXPORTS" | "SANDBOX_FULL" | "LIMIT_PARTIAL" | "LIMIT_UNSENT") | null;
            /** @description Use of the gym by this caller. */
            caller: {
                episodes: components["schemas"]["Bounded"];
                sandboxEpisodes: components["schemas"]["Bounded"];
                stepsToday: components["schemas"]["Bounded"];
                logBytes: components["schemas"]["Bounded"];
            };
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "not ready";
            detail: string;
        };
        Judgment: {
            /** @description Number among the caller's judgments, oldest first. */
            number: number;
            /** @description Id from the reply that created the episode. */
            left: string;
            /** @description Id from the reply that created the episode. */
            right: string;
            /**
             * @description `left`, `right`: this episode is better. `tie`: both are equally good. `bad`: both are bad.
             * @enum {string}
             */
            choice: "left" | "right" | "tie" | "bad";
            rater: string;
            note: string;
            /** @description `id@version` */
            environment: string;
            task: components["schemas"]["Task"];
            seed: number;
            /** Format: date-time */
            createdAt: string;
        };
        JudgmentPage: {
            judgments: components["schemas"]["Judgment"][];
            /** @description `before` of the next page; null on the last page. */
            next: number | null;
        };
        JudgmentRequest: {
            /** @description Id from the reply that created the episode. */
            left: string;
            /** @description Id from the reply that created the episode. */
            right: string;
            /**
             * @description `left`, `right`: this episode is better. `tie`: both are equally good. `bad`: both are bad.
             * @enum {string}
             */
            choice: "left" | "right" | "tie" | "bad";
            /** @description Name of the person who judges. */
            rater: string;
            /**
             * @description Reason for the choice.
             * @default
             */
            note?: string;
        };
        LoggedRollout: {
            step: number;
            group: string;
            index: number;
            task: {
                environment: string;
                split: string;
                index: number;
            } & {
                [key: string]: unknown;
            };
            rollout: {
                episodeId: string;
                /** @description Number of the row, if the episode has several rows. */
                row: number | null;
                /** @description Seat whose player's row it is. Absent if the environment has one player. */
                seat?: string;
                return: number;
                solved: boolean;
                /** @enum {string} */
                status: "terminated" | "truncated" | "limit" | "failed";
                failure?: {
                    class: string;
                    code: string;
                    message: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description Mean of the sampled tokens; null if the step did not learn from the row. */
                advantage: number | null;
                tokens: number;
                sampledTokens: number;
                steps: number;
            };
            /** @description Token ids. The other arrays have an entry for each of them. */
            tokens: number[];
            /** @description Text of each token; null without a tokenizer. A character of several tokens is the text of the last of them. */
            texts: string[] | null;
            /** @description 1 for sampled tokens, 0 for given ones. */
            mask: number[];
            /** @description Log-probability when sampled, in nats; null where the mask is 0. */
            logprobs: (number | null)[];
            /** @description Advantage; null where the mask is 0, or if the step did not learn from the row. */
            advantages: (number | null)[];
            /** @description Policy version that sampled the token; null where the mask is 0. */
            versions: (number | null)[];
            steps: {
                first: number;
                end: number;
                action: string;
                reward: number;
            }[];
        };
        MetricsPage: {
            /** @description Lines of metrics.jsonl. */
            records: ({
                step: number;
                time: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Value of `from` for the next request. */
            next: number;
            /** @description Value of `mark` for the next request; null before the first record. */
            mark: string | null;
            /** @description Number of records. More can be read if it is larger than `next`. */
            total: number;
            /** @description Whether the run was resumed from an earlier step, so that records before `from` have changed. The reply then starts at record 0. */
            restarted: boolean;
            live: boolean;
        };
        NamedTask: {
            split: string;
            index: number;
            title: string;
        };
        NemoReset: {
            /** @description Default: the environment's default split. */
            split?: string | null;
            /** @description Task of the split. Default: the seed modulo the number of tasks. */
            index?: number | null;
            /** @description Seed of all randomness in the episode. Default: 0. */
            seed?: number | null;
            /** @description Values for the environment's options. */
            options?: {
                [key: string]: string;
            } | null;
            format?: ("plain" | "react" | "tool_call" | "code") | null;
            /** @description Number of steps after which the episode is truncated. */
            max_steps?: number | null;
        } & {
            [key: string]: unknown;
        };
        NemoResetReply: {
            observation: string;
            info: {
                [key: string]: unknown;
            };
        };
        NemoStep: {
            response: {
                output: (({
                    /** @constant */
                    type: "function_call";
                    call_id: string;
                    name: string;
                    /** @description JSON object. */
                    arguments: string;
                } & {
                    [key: string]: unknown;
                }) | ({
                    /** @constant */
                    type: "message";
                    content: string | ({
                        type: string;
                        text?: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                }) | ({
                    type: string;
                } & {
                    [key: string]: unknown;
                }))[];
            } & {
                [key: string]: unknown;
            };
            /** @description Id of the request. A repeated request gets the reply to the first one. */
            _ng_step_request_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        NemoStepReply: {
            /** @description Null if the observations are in `info.tool_outputs`. */
            observation: string | null;
            /** @description Sum of the rewards of the steps of this response. */
            reward: number;
            terminated: boolean;
            truncated: boolean;
            info: {
                [key: string]: unknown;
            };
        };
        NextPair: {
            /** @description Two episodes of one task with different actions, in random order; null if the rater has judged all. */
            pair: {
                /** @description Id from the reply that created the episode. */
                left: string;
                /** @description Id from the reply that created the episode. */
                right: string;
            } | null;
            /** @description Number of pairs that the rater has not judged, this one included. */
            remaining: number;
        };
        Note: {
            step: number;
            text: string;
            readonly tags: string[];
            /** @description Time at which the note was written, in milliseconds since 1970. */
            atMs: number;
        };
        NoteList: {
            readonly notes: components["schemas"]["Note"][];
        };
        /** @description A note replaces the earlier one at its place. Without text and tags, it removes the earlier one. */
        NoteRequest: {
            /**
             * @description Number of the step, from 1 on, or 0 for the whole episode.
             * @default 0
             */
            step?: number;
            /** @default  */
            text?: string;
            /**
             * @description Words by which lists of episodes can be filtered.
             * @default []
             */
            tags?: string[];
        };
        Now: {
            /** Format: date-time */
            at: string;
            /** @description Who plays what at this gym, the busiest first, at most 100. */
            plays: {
                player: components["schemas"]["Player"];
                /** @description `id@version` */
                environment: string;
                /** @description Runs that play, as far as the client names them; at most 5. */
                runs: string[];
                /** @description Live episodes. */
                episodes: number;
                /** @description Steps of the last minute, to within five seconds. */
                stepsLastMinute: number;
            }[];
            /** @description Whether further callers play, who are not listed. */
            more: boolean;
            /** @description The last failures of episodes and of resets since the start of the gym, newest first, at most 20. */
            failures: {
                /** Format: date-time */
                at: string;
                player: components["schemas"]["Player"];
                /** @description `id@version` */
                environment: string;
                /** @description Whether the reset failed, so that there is no episode. */
                atReset: boolean;
                /** @description Null if there is no episode, or if it is another caller's. */
                episodeId: string | null;
                /** @enum {string} */
                class: "action" | "infrastructure" | "environment" | "capacity";
                /**
                 * @description Code of the error. openapi/errors.md lists all codes.
                 * @enum {string}
                 */
                code: "REQUEST_MALFORMED" | "REQUEST_INVALID" | "REQUEST_TOO_LARGE" | "REQUEST_HEAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "REQUEST_MEDIA_TYPE" | "ROUTE_UNKNOWN" | "METHOD_NOT_ALLOWED" | "SOCKET_FRAME_BINARY" | "SOCKET_EXPECTED" | "TOKEN_MISSING" | "TOKEN_INVALID" | "TOKEN_EXPIRED" | "RIGHT_MISSING" | "ORIGIN_REFUSED" | "ENVIRONMENT_UNKNOWN" | "ENVIRONMENT_UNAVAILABLE" | "OPTION_UNKNOWN" | "SPLIT_UNKNOWN" | "TASK_OUT_OF_RANGE" | "EPISODE_UNKNOWN" | "EPISODE_CLOSED" | "EPISODE_ENDED" | "EPISODE_FAILED" | "EPISODE_LOST" | "STEP_INDEX" | "STEP_CONFLICT" | "SEAT_UNKNOWN" | "SEAT_TURN" | "ACTION_TOO_LARGE" | "BATCH_TOO_LARGE" | "PAIR_INVALID" | "IDEMPOTENCY_CONFLICT" | "CALLER_GONE" | "EXPERT_MISSING" | "VERIFIER_MISSING" | "RENDER_MISSING" | "QUERY_UNKNOWN" | "RUN_UNKNOWN" | "RUN_PART_UNKNOWN" | "RUN_DAMAGED" | "RUNS_FAILED" | "ENVIRONMENT_THREW" | "ENVIRONMENT_HUNG" | "ENVIRONMENT_OUT_OF_MEMORY" | "ENVIRONMENT_RESULT" | "ENVIRONMENT_DIVERGED" | "ENVIRONMENT_TIMEOUT" | "SANDBOX_MISSING" | "SANDBOX_REFUSED" | "SANDBOX_START" | "SANDBOX_TIMEOUT" | "SANDBOX_LOST" | "SANDBOX_TOO_LARGE" | "SANDBOX_NO_FILE" | "SERVICE_FAILED" | "REPLAY_TIMEOUT" | "HOST_FAILED" | "JUDGMENTS_FAILED" | "EPISODE_ELSEWHERE" | "LOG_FAILED" | "LOG_CORRUPT" | "SERVER_DRAINING" | "SERVER_FAULT" | "LIMIT_TOKEN_EPISODES" | "LIMIT_TOKEN_SANDBOXES" | "LIMIT_TOKEN_STEPS" | "LIMIT_TOKEN_WAITS" | "LIMIT_TOKEN_JUDGMENTS" | "LIMIT_NOTES" | "LIMIT_EPISODES" | "LIMIT_TOKEN_LOG" | "LIMIT_LOG" | "DISK_LOW" | "LIMIT_IN_FLIGHT" | "LIMIT_EXPORTS" | "SANDBOX_FULL" | "LIMIT_PARTIAL" | "LIMIT_UNSENT";
                /** @description Cut to 500 characters; null for a failure of another caller. */
                message: string | null;
            }[];
            /** @description The caller's live episodes with pictures that were called last, at most 12. */
            pictured: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
                /** @description `id@version` */
                environment: string;
                /** @description Number of steps so far. */
                index: number;
            }[];
        };
        ObservationPart: {
            /** @constant */
            type: "image";
            /** @enum {string} */
            mediaType: "image/png" | "image/svg+xml";
            data: string;
        } | {
            /** @constant */
            type: "json";
            data: unknown;
        };
        OpenenvResult: {
            observation: {
                [key: string]: unknown;
            };
            reward: number | null;
            done: boolean;
            metadata: {
                [key: string]: unknown;
            };
        };
        Opening: {
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            /** @description Seat that acts first. Absent without seats. */
            turn?: string;
            /** @description Facts for trainers and people. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
        };
        OrsBlocks: ({
            /** @constant */
            type: "text";
            text: string;
            detail: null;
        } | {
            /** @constant */
            type: "image";
            data: string;
            mimeType: string;
            detail: null;
        })[];
        OrsTaskSpec: {
            /** @description Default: the environment's default split. */
            split?: string | null;
            index: number;
            /** @description Seed of all randomness in the episode. Default: 0. */
            seed?: number | null;
            /** @description Values for the environment's options. */
            options?: {
                [key: string]: string;
            } | null;
            format?: ("plain" | "react" | "tool_call" | "code") | null;
            /** @description Number of steps after which the episode is truncated. */
            max_steps?: number | null;
        } & {
            [key: string]: unknown;
        };
        OrsTools: {
            tools: {
                name: string;
                description: string;
                input_schema: {
                    [key: string]: unknown;
                };
            }[];
        };
        Picture: {
            /** @description Number of steps so far. */
            index: number;
            picture: {
                /** @constant */
                type: "image";
                /** @enum {string} */
                mediaType: "image/png" | "image/svg+xml";
                data: string;
            };
        };
        Player: {
            /**
             * @description `local`: the callers without a token.
             * @enum {string}
             */
            kind: "token" | "local";
            /** @description Name of the token; its id if it was revoked. */
            name: string;
        };
        ReplayLine: {
            /** @description Index of the step; null for the reset. */
            index: number | null;
            /** @description Whether the replay gave the bytes in the log. */
            equal: boolean;
            /** @description JSON text in the log, if the results differ. */
            logged?: string;
            /** @description JSON text that the replay gave, if the results differ. */
            replayed?: string;
            /**
             * @description Present if the replay used answers of services outside the gym that are in the log.
             * @constant
             */
            recorded?: true;
        } | {
            /** @description Number of steps of the episode when the replay began. */
            steps: number;
            /** @description Whether the reset and all of these steps gave the bytes in the log. */
            proved: boolean;
        } | {
            error: components["schemas"]["Error"];
        };
        RewardReply: {
            /** @description `id@version` */
            environment: string;
            /** @description In the order of the answers. */
            results: (components["schemas"]["AnswerReward"] | components["schemas"]["ErrorReply"])[];
        };
        RewardRequest: {
            /** @description `textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for an engine with a name. */
            environment: string;
            /** @description Values for the environment's options. Missing ones get the environment's defaults. */
            options?: {
                [key: string]: string;
            };
            answers: {
                task: {
                    /** @description Default: the environment's default split. */
                    split?: string;
                    index: number;
                };
                /** @description Text that the model wrote. */
                answer: string;
                /** @description Number of steps that the answer took, for rewards that use it. */
                steps?: number;
                /** @description Number of tokens that the answer took, for rewards that use it. */
                tokens?: number;
            }[];
        };
        Root: {
            /** @constant */
            name: "palestra";
            version: string;
            /** @description Whether this caller needs a bearer token for all other paths. */
            needsToken: boolean;
            /** @description `id@version`; empty for a caller who needs a token. */
            environments: string[];
            /** @description Links, relative to this URL. */
            links: {
                [key: string]: string;
            };
        };
        Run: {
            /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
            run: string;
            title: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Whether a process is writing to the run's folder. */
            live: boolean;
            /** @description Reason why a file of the run could not be read, or null. */
            problem: string | null;
            /** @constant */
            kind: "training";
            summary: components["schemas"]["TrainingSummary"];
            /** @description Settings of the run, without secrets. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Findings about the run's health, empty before the third train step. */
            health: {
                /** @description What was checked, such as `entropy`. */
                check: string;
                /** @enum {string} */
                level: "green" | "amber" | "red";
                /** @description One sentence with the figures. */
                cause: string;
                /** @description Settings to change, with their names in backquotes; null if green. */
                change: string | null;
            }[];
            /** @description How the starting model is made, or null if the run started from a model. */
            start: {
                /**
                 * @description Playing experts' episodes, reading first observations for the tokenizer, or cloning.
                 * @enum {string}
                 */
                phase: "experts" | "language" | "cloning";
                /** @description Episodes, or steps of cloning. */
                done: number;
                total: number;
                /** @description Pass of cloning over the episodes, from 1. */
                epoch: number | null;
                epochs: number | null;
                /** @description Loss of the newest step of cloning, in nats per token. */
                loss: number | null;
                /** @description Seconds until the phase ends, at its rate so far. */
                secondsLeft: number | null;
                /** @description Steps of cloning with their losses. */
                losses: {
                    step: number;
                    loss: number;
                }[];
            } | null;
            /** @description Facts about the engine, or null if they are not known. */
            engine: {
                [key: string]: unknown;
            } | null;
            /** @description Train steps whose groups are logged, or null if none are. */
            groupSteps: {
                first: number;
                last: number;
                count: number;
            } | null;
        } | {
            /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
            run: string;
            title: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Whether a process is writing to the run's folder. */
            live: boolean;
            /** @description Reason why a file of the run could not be read, or null. */
            problem: string | null;
            /** @constant */
            kind: "evaluation";
            summary: components["schemas"]["EvaluationSummary"];
            /** @description The measurement: environment, policy and its settings. */
            settings: {
                [key: string]: unknown;
            };
            /** @description The content of report.json, or null before it is written. */
            report: {
                [key: string]: unknown;
            } | null;
            /** @description Number of episodes by status. */
            statuses: {
                [key: string]: number;
            };
            /** @description Kinds of tasks, in alphabetical order. */
            families: string[];
        };
        RunList: {
            /** @description The runs, newest first. */
            runs: ({
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
                title: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** @description Whether a process is writing to the run's folder. */
                live: boolean;
                /** @description Reason why a file of the run could not be read, or null. */
                problem: string | null;
                /** @constant */
                kind: "training";
                summary: components["schemas"]["TrainingSummary"];
            } | {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
                title: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** @description Whether a process is writing to the run's folder. */
                live: boolean;
                /** @description Reason why a file of the run could not be read, or null. */
                problem: string | null;
                /** @constant */
                kind: "evaluation";
                summary: components["schemas"]["EvaluationSummary"];
            })[];
            /** @description Whether the folders have more runs than the list. */
            truncated: boolean;
        };
        SeatStepRequest: {
            /** @description Number of steps so far. An earlier index with the same action gives the stored reply. */
            index: number;
            /** @description Text that the agent wrote. */
            action: string;
            /**
             * @description Milliseconds to wait until the seat acts next or the episode has ended.
             * @default 0
             */
            waitMs?: number;
        };
        SeatView: {
            seat: string;
            /** @description Seat that acts next; null after the end. */
            turn: string | null;
            /** @description Number of steps so far, of all seats, and index of the next step. */
            index: number;
            /** @description Observation of the seat's turn, or of the end of the task; null while another seat acts. */
            observation: string | null;
            parts?: components["schemas"]["ObservationPart"][];
            /** @description Sum of the seat's rewards since its last action. */
            reward: number;
            /** @description Sum of the seat's rewards. */
            return: number;
            /** @description Whether the task itself has ended. */
            terminated: boolean;
            /** @description Whether a limit outside the task was reached. */
            truncated: boolean;
            /** @description Facts for trainers and people. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description Instructions for the player of the seat, in the episode's format. */
            prompt: string;
            /** @description The seat's actions as function definitions. */
            readonly tools: components["schemas"]["Tool"][];
        };
        StepManyReply: {
            /** @description In the order of the steps. */
            results: (components["schemas"]["StepReply"] | components["schemas"]["ErrorReply"])[];
        };
        StepManyRequest: {
            steps: {
                /** @description Number of steps so far. An earlier index with the same action gives the stored reply. */
                index: number;
                /** @description Text that the agent wrote. */
                action: string;
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            }[];
        };
        StepReply: {
            index: number;
            /** @description Action that the gym read in the text; null if it found none, and the environment was not asked. Absent in the format `plain`. */
            read?: string | null;
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            reward: number;
            /** @description Whether the task itself has ended. */
            terminated: boolean;
            /** @description Whether a limit outside the task was reached. */
            truncated: boolean;
            /** @description Seat that acts next, whose player the observation is for. Absent once the task has ended, and without seats. */
            turn?: string;
            /** @description Rewards of the seats in this step, 0 for a seat without one. Absent if the seats share the reward. */
            rewards?: {
                [key: string]: number;
            };
            /** @description Facts for trainers and people. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
        };
        StepRequest: {
            /** @description Number of steps so far. An earlier index with the same action gives the stored reply. */
            index: number;
            /** @description Text that the agent wrote. */
            action: string;
        };
        Task: {
            split: string;
            index: number;
        };
        TaskPage: {
            tasks: components["schemas"]["TaskSummary"][];
            /** @description `from` of the next page; null on the last page. A page of a search may have fewer tasks. */
            next: number | null;
        };
        TaskSummary: {
            split: string;
            index: number;
            /** @description The goal of the task. */
            title: string;
        };
        Tool: {
            name: string;
            description: string;
            /** @description JSON Schema of a call's arguments. Unless the action ends with `{arguments}`, all are required, and each is a string, an integer or a list of strings. */
            parameters: {
                /** @constant */
                type: "object";
                properties?: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
                required?: string[];
            } & {
                [key: string]: unknown;
            };
            /** @description Template of the action for a call, such as `get {count} {item}`. The entries of a list are joined with `, `. A string whose placeholder is in quotation marks, `"{text}"`, is written as JSON. `{arguments}` at the end inserts all arguments as one JSON object. */
            action: string;
        };
        TrainStepGroups: {
            step: number;
            /** @description Nearest earlier train step with logged groups. */
            previous: number | null;
            /** @description Nearest later train step with logged groups. */
            next: number | null;
            groups: {
                group: string;
                task: {
                    environment: string;
                    split: string;
                    index: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description Oldest policy version that sampled a token. */
                minVersion: number | null;
                maxVersion: number | null;
                /** @description Reason why the step did not learn from the group (`filtered`, `failed`, `stale`), or null. */
                leftOut: string | null;
                rollouts: {
                    episodeId: string;
                    /** @description Number of the row, if the episode has several rows. */
                    row: number | null;
                    /** @description Seat whose player's row it is. Absent if the environment has one player. */
                    seat?: string;
                    return: number;
                    solved: boolean;
                    /** @enum {string} */
                    status: "terminated" | "truncated" | "limit" | "failed";
                    failure?: {
                        class: string;
                        code: string;
                        message: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description Mean of the sampled tokens; null if the step did not learn from the row. */
                    advantage: number | null;
                    tokens: number;
                    sampledTokens: number;
                    steps: number;
                }[];
            }[];
        };
        TrainingSummary: {
            /** @description Train steps that are done. */
            trainSteps: number;
            /** @description Train steps that were asked for, if known. */
            totalTrainSteps: number | null;
            /** @description Share of solved episodes in the newest train step. */
            successRate: number | null;
            /** @description Share of solved held-out tasks in the newest evaluation. */
            heldOut: number | null;
            /** @description The worst finding about the run's health, or null before the third train step. */
            health: {
                /** @enum {string} */
                level: "green" | "amber" | "red";
                cause: string;
            } | null;
            /** @description Newest progress in making the starting model, or null if the run started from a model. */
            start: {
                /**
                 * @description Playing experts' episodes, reading first observations for the tokenizer, or cloning.
                 * @enum {string}
                 */
                phase: "experts" | "language" | "cloning";
                /** @description Episodes, or steps of cloning. */
                done: number;
                total: number;
            } | null;
            algorithm: string | null;
            /** @description Model that the run started from, or null for the small default model. */
            model: string | null;
        };
        Transcript: {
            steps: components["schemas"]["TranscriptStep"][];
            /** @description `from` of the next page; null on the last page. */
            next: number | null;
        };
        TranscriptStep: {
            index: number;
            /** @description Action that the gym read in the text; null if it found none, and the environment was not asked. Absent in the format `plain`. */
            read?: string | null;
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            reward: number;
            /** @description Whether the task itself has ended. */
            terminated: boolean;
            /** @description Whether a limit outside the task was reached. */
            truncated: boolean;
            /** @description Seat that acts next, whose player the observation is for. Absent once the task has ended, and without seats. */
            turn?: string;
            /** @description Rewards of the seats in this step, 0 for a seat without one. Absent if the seats share the reward. */
            rewards?: {
                [key: string]: number;
            };
            /** @description Facts for trainers and people. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description Text that the agent wrote. */
            action: string;
            /** @description Milliseconds that the environment took. Absent if it took less than one, and in logs of older versions. */
            gymMs?: number;
            /** @description Time at which the step was logged, in milliseconds since 1970. Steps that were logged together have the same time. A fork's shared steps have the times of its parent. Null in logs of older versions. */
            atMs: number | null;
        };
        Usage: {
            /** @description Bytes of the caller's episodes in the log, measured about once a second. */
            logBytes: number;
            /** @description Bytes above which the caller can open no episode, or null. */
            maxLogBytes: number | null;
            /** @description Live episodes of the caller, at all gyms of a fleet together; `limit` is null if none. */
            episodes: {
                used: number;
                limit: number | null;
            };
            /** @description Those that hold a sandbox. */
            sandboxEpisodes: {
                used: number;
                limit: number | null;
            };
            /** @description Steps of the current UTC day, including steps in flight. */
            stepsToday: {
                used: number;
                limit: number | null;
            };
            /** @description The same of all tokens of the caller's group together, with the limits of the group, or null. */
            group: {
                /** @description Live episodes of the caller, at all gyms of a fleet together; `limit` is null if none. */
                episodes: {
                    used: number;
                    limit: number | null;
                };
                /** @description Those that hold a sandbox. */
                sandboxEpisodes: {
                    used: number;
                    limit: number | null;
                };
                /** @description Steps of the current UTC day, including steps in flight. */
                stepsToday: {
                    used: number;
                    limit: number | null;
                };
            } | null;
        };
        Verdict: {
            /** @description Why the episode has this outcome, in one sentence. */
            why: string;
            /** @description The right answer or final state, if the environment knows one. */
            expected?: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description No. `detail` names the part that is not ready and, for a caller with a token, its error. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    root: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Root"];
                };
            };
        };
    };
    listEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentList"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for an engine with a name. */
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Default: the environment's default split. */
                split?: string;
                /** @description Index of the first task of the page. */
                from?: number;
                /** @description Most tasks of the page. */
                limit?: number;
                /** @description Only tasks with this text in their title. */
                text?: string;
            };
            header?: never;
            path: {
                /** @description `textcraft` for the newest version, `textcraft@1` for version 1, `sciworld@jvm` for an engine with a name. */
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskPage"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_UNKNOWN, SPLIT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    list: {
        parameters: {
            query?: {
                /** @description Id of an episode: the page has older ones. */
                before?: string;
                limit?: number;
                /** @description Only episodes of this environment: `id`, or `id@version`. */
                environment?: string;
                /** @description Only episodes of this split. */
                split?: string;
                /** @description Only episodes of the task with this index. */
                task?: number;
                /** @description Only episodes with this text in their id, environment, split, task, seed or options, or with its words in their goal. */
                text?: string;
                /** @description Only episodes with this outcome. */
                outcome?: "running" | "solved" | "failed" | "ended" | "closed" | "error";
                /** @description Only episodes that were created at this time or later. */
                since?: string;
                /** @description Only episodes of this training run or evaluation. */
                run?: string;
                /** @description Only episodes of this policy. */
                policy?: string;
                /** @description Only episodes with a note that has this tag. */
                tag?: string;
                /** @description `highest` and `lowest` order by return, `longest` and `shortest` by steps; they list only episodes with a verdict. Default: `newest`. */
                order?: "newest" | "highest" | "lowest" | "longest" | "shortest";
                /** @description `state` adds the phase, the newest step, the outcome and the verdict to each episode. */
                detail?: "none" | "state";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EpisodePage"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    create: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key returns the same episode. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Episode"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED, OPTION_UNKNOWN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_UNKNOWN, SPLIT_UNKNOWN, TASK_OUT_OF_RANGE */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LIMIT_TOKEN_LOG */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, ENVIRONMENT_UNAVAILABLE, EPISODE_ELSEWHERE, HOST_FAILED, LOG_FAILED, SERVER_DRAINING, LIMIT_EPISODES, DISK_LOW, LIMIT_LOG, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    createMany: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key returns the same episode. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateManyRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateManyReply"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Episode"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    close: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Closed"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    opening: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Opening"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    transcript: {
        parameters: {
            query?: {
                from?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    step: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepReply"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST, STEP_INDEX, STEP_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE, ACTION_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LIMIT_TOKEN_STEPS */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    seat: {
        parameters: {
            query?: {
                /** @description Milliseconds to wait until the seat acts next or the episode has ended. */
                waitMs?: number;
            };
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
                /** @description Name of a seat. */
                seat: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeatView"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, SEAT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LIMIT_TOKEN_WAITS */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    seatStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
                /** @description Name of a seat. */
                seat: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeatStepRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeatView"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, SEAT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST, STEP_INDEX, STEP_CONFLICT, SEAT_TURN */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE, ACTION_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LIMIT_TOKEN_STEPS, LIMIT_TOKEN_WAITS */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    stepMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepManyRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepManyReply"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    score: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewardRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewardReply"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED, OPTION_UNKNOWN */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_UNKNOWN, VERIFIER_MISSING */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, ENVIRONMENT_UNAVAILABLE, LIMIT_IN_FLIGHT, SERVER_DRAINING */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    fork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForkRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Episode"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST, STEP_INDEX */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LIMIT_TOKEN_LOG */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED, DISK_LOW, LIMIT_LOG */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    expert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Advice"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, EXPERT_MISSING */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    render: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Picture"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, RENDER_MISSING */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
                /** @description Name from the environment's `queries`. */
                query: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, QUERY_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_ENDED, EPISODE_FAILED, EPISODE_LOST */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_CLOSED */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ENVIRONMENT_TIMEOUT */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoteRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteList"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description STEP_INDEX, LIMIT_NOTES */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    listJudgments: {
        parameters: {
            query?: {
                /** @description Number of a judgment: the page has older ones. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgmentPage"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, JUDGMENTS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    judge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgmentRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Judgment"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED, PAIR_INVALID */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_JUDGMENTS */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, JUDGMENTS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    nextPair: {
        parameters: {
            query: {
                /** @description Name of the person who judges. */
                rater: string;
                /** @description Only pairs of this environment. */
                environment?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextPair"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, JUDGMENTS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    agreement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agreement"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, JUDGMENTS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    now: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Now"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    runMetrics: {
        parameters: {
            query?: {
                /** @description Number of the first record. */
                from?: number;
                /** @description `mark` of the reply whose `next` is sent as `from`. With it, the reply says if the records before have changed. */
                mark?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsPage"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    runGroups: {
        parameters: {
            query?: {
                /** @description Train step. Default: the newest one with logged groups. */
                step?: number;
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainStepGroups"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN, RUN_PART_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    runRollout: {
        parameters: {
            query: {
                /** @description Train step. */
                step: number;
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
                group: string;
                /** @description Number of the rollout in its group. */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedRollout"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN, RUN_PART_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    runEpisodes: {
        parameters: {
            query?: {
                /** @description Number of matching episodes to skip. */
                from?: number;
                limit?: number;
                /** @description `solved` and `unsolved` are about episodes that were played to their end. */
                status?: "solved" | "unsolved" | "terminated" | "truncated" | "limit" | "failed";
                family?: string;
                /** @description Kind of failure. */
                failure?: "gym-failure" | "policy-failure" | "unread-reply" | "wrong-format" | "looped" | "limit" | "wrong-answer";
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationEpisodes"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    searchRun: {
        parameters: {
            query: {
                /** @description Line at which the search begins: `next` or `end` of an earlier reply. */
                from?: number;
                limit?: number;
                /** @description `solved` and `unsolved` are about episodes that were played to their end. */
                status?: "solved" | "unsolved" | "terminated" | "truncated" | "limit" | "failed";
                family?: string;
                /** @description Kind of failure. */
                failure?: "gym-failure" | "policy-failure" | "unread-reply" | "wrong-format" | "looped" | "limit" | "wrong-answer";
                /** @description Words that an episode must have in its texts: task, observations, replies, actions. Case is ignored. */
                q: string;
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationSearch"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    runEpisode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
                /** @description Number of the episode in the file. */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationEpisode"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN, RUN_PART_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    getFleet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fleet"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line of JSON for the reset, one for each step, and one for the end or for an error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ReplayLine"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_LOST */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, LIMIT_IN_FLIGHT, LIMIT_EPISODES, SERVER_DRAINING */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    exportRun: {
        parameters: {
            query?: {
                /** @description `html`: a page that needs no gym. `eval`: an evaluation as a log of Inspect. */
                format?: "html" | "eval";
            };
            header?: never;
            path: {
                /** @description Path of the run's folder below the runs folder, such as `default`. A slash is encoded as `%2F` in a URL. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED, RIGHT_MISSING */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description RUN_UNKNOWN, RUN_PART_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, RUN_DAMAGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, RUNS_FAILED, LIMIT_EXPORTS */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    exportEpisode: {
        parameters: {
            query?: {
                /** @description `html`: a page that needs no gym. `eval`: a log of Inspect. `atif`: Harbor's trajectory format. `json`: facts, first observation and steps. */
                format?: "html" | "eval" | "atif" | "json";
            };
            header?: never;
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, LIMIT_EXPORTS */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    exportEpisodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, LIMIT_EXPORTS */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    exportJudgments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT, LOG_CORRUPT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, LIMIT_EXPORTS, JUDGMENTS_FAILED */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    episodeEvents: {
        parameters: {
            query?: {
                /** @description Index of the first step to send. Default: 0. The header Last-Event-ID has priority. */
                from?: number;
            };
            header?: {
                /** @description Id of the last event that was received: the index of its step. */
                "Last-Event-Id"?: string;
            };
            path: {
                /** @description Id from the reply that created the episode. */
                episodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["EpisodeEvent"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description STEP_INDEX */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, SERVER_DRAINING */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    gymEvents: {
        parameters: {
            query?: {
                /** @description Id of an episode, whose events are sent on the same stream. */
                episode?: string;
                /** @description Index of the first step to send. Default: 0. The header Last-Event-ID has priority. */
                from?: number;
            };
            header?: {
                /** @description Id of the last event that was received: the index of its step. */
                "Last-Event-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["GymEvent"];
                };
            };
            /** @description REQUEST_INVALID, REQUEST_MALFORMED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description EPISODE_UNKNOWN */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description STEP_INDEX */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description REQUEST_HEAD_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_PARTIAL, LIMIT_UNSENT, EPISODE_ELSEWHERE, LOG_FAILED, SERVER_DRAINING */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
        };
    };
    agentgymTextcraftHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymTextcraftCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymTextcraftResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymTextcraftStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftObservation: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftDetail: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymTextcraftClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymTextcraftCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymBabyaiCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymBabyaiResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymBabyaiStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiObservation: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymBabyaiCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymBabyaiRender: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymBabyaiRenderRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymSciworldCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSciworldResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSciworldStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldStepVisual: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymSciworldVisualStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldVisualStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSciworldCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldObservation: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldDetail: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldActionHint: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldActionHint"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldGoals: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        goals: string;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldTaskDescription: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task_description: string;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldObjectTree: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        object_tree: {
                            [key: string]: unknown;
                        };
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSciworldState: {
        parameters: {
            query: {
                id: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldState"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaReset"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaObservation: {
        parameters: {
            query: {
                env_idx: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaObservationMetadata: {
        parameters: {
            query: {
                env_idx: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        closed: string;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaReset"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabObservation: {
        parameters: {
            query: {
                env_idx: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabObservationMetadata: {
        parameters: {
            query: {
                env_idx: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymWebarenaLabClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymWebarenaCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        closed: string;
                    } | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSearchqaCreateRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSearchqaResetRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSearchqaStepRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSearchqaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaObservation: {
        parameters: {
            query: {
                env_idx: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    agentgymSearchqaClose: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentgymSearchqaCloseRequest"];
            };
        };
        responses: {
            /** @description The result, or a domain error `{error: message}`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description ORIGIN_REFUSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description REQUEST_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description The body or query is not JSON or does not fit its schema. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymValidationFailure"];
                };
            };
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description EPISODE_ELSEWHERE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymFailure"];
                };
            };
        };
    };
    orsHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    orsVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        version: string;
                        build_sha: null;
                    };
                };
            };
        };
    };
    orsListEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    orsCreateSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    orsCreate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: the environment in the header `X-Deployment`. */
                    env_name?: string | null;
                    task_spec?: components["schemas"]["OrsTaskSpec"] | null;
                    split?: string | null;
                    index?: number | null;
                    /** @description Toolsets are not supported. */
                    toolset_name?: null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sid: string;
                    };
                };
            };
        };
    };
    orsPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    orsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sid: string;
                    };
                };
            };
        };
    };
    orsDeleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sid: string;
                    };
                };
            };
        };
    };
    orsTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsTools"];
                };
            };
        };
    };
    orsTaskTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsTools"];
                };
            };
        };
    };
    orsPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsBlocks"];
                };
            };
        };
    };
    orsCall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the tool. */
                    name: string;
                    /**
                     * @description Arguments of the tool.
                     * @default {}
                     */
                    input?: {
                        [key: string]: unknown;
                    };
                    /** @description Id from the event `task_id` of an earlier stream that broke. The step is taken only once. */
                    task_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    orsSplits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        type: "train" | "validation" | "test";
                    }[];
                };
            };
        };
    };
    orsNumTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        num_tasks: number;
                    };
                };
            };
        };
    };
    orsTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    index: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["NamedTask"];
                        env_name: string;
                    };
                };
            };
        };
    };
    orsTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
    orsTaskRange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    start?: number | null;
                    stop?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
    orsEnvironmentTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsTools"];
                };
            };
        };
    };
    orsEnvironmentTaskTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsTools"];
                };
            };
        };
    };
    orsEnvironmentPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrsBlocks"];
                };
            };
        };
    };
    orsEnvironmentCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the tool. */
                    name: string;
                    /**
                     * @description Arguments of the tool.
                     * @default {}
                     */
                    input?: {
                        [key: string]: unknown;
                    };
                    /** @description Id from the event `task_id` of an earlier stream that broke. The step is taken only once. */
                    task_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    orsEnvironmentSplits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        type: "train" | "validation" | "test";
                    }[];
                };
            };
        };
    };
    orsEnvironmentNumTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        num_tasks: number;
                    };
                };
            };
        };
    };
    orsEnvironmentTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    index: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["NamedTask"];
                        env_name: string;
                    };
                };
            };
        };
    };
    orsEnvironmentTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
    orsEnvironmentTaskRange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    start?: number | null;
                    stop?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
    nemoGymEnvironmentReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NemoReset"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NemoResetReply"];
                };
            };
        };
    };
    nemoGymEnvironmentStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NemoStep"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NemoStepReply"];
                };
            };
        };
    };
    nemoGymEnvironmentClose: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    nemoGymEnvironmentHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    nemoGymEnvironmentRows: {
        parameters: {
            query?: {
                /** @description Default: the environment's default split. */
                split?: string;
                from?: number;
                limit?: number;
            };
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    nemoGymEnvironmentAggregateMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    verify_responses: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    openenvEnvironmentHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "healthy";
                    };
                };
            };
        };
    };
    openenvEnvironmentMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    openenvEnvironmentSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    openenvEnvironmentReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Seed of all randomness in the episode. Default: 0. */
                    seed?: number | null;
                    /** @description Default: the environment's default split. */
                    split?: string | null;
                    /** @description Task of the split. Default: the seed modulo the number of tasks. */
                    index?: number | null;
                    /** @description Values for the environment's options. */
                    options?: {
                        [key: string]: string;
                    } | null;
                    format?: ("plain" | "react" | "tool_call" | "code") | null;
                    /** @description Number of steps after which the episode is truncated. */
                    max_steps?: number | null;
                    /** @description Id of an open episode, which then goes on. Any other id is given to the new episode. */
                    episode_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenenvResult"];
                };
            };
        };
    };
    openenvEnvironmentStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action: {
                        /** @description Text that the agent wrote. */
                        message: string;
                        /** @description Number of steps so far. An earlier index with the same action gives the stored reply. */
                        index?: number | null;
                    } | {
                        /** @enum {string} */
                        type: "call_tool";
                        tool_name: string;
                        /** @default {} */
                        arguments?: {
                            [key: string]: unknown;
                        };
                        /** @description Number of steps so far. An earlier index with the same action gives the stored reply. */
                        index?: number | null;
                        metadata?: unknown;
                    } | {
                        /** @enum {string} */
                        type: "list_tools";
                        metadata?: unknown;
                    };
                    /** @description Id from the reply of the reset, in its `metadata`. */
                    episode_id: string;
                    /** @description Ignored: the gym has a deadline for steps. */
                    timeout_s?: number | null;
                    /** @description Ignored: steps have an `index`. */
                    request_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenenvResult"];
                };
            };
        };
    };
    openenvEnvironmentState: {
        parameters: {
            query?: {
                episode_id?: string;
            };
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        episode_id: string | null;
                        step_count: number;
                        /** @description `id@version` */
                        environment?: string;
                        split?: string;
                        index?: number;
                        seed?: number;
                        max_steps?: number;
                        /** @description `running`, `ended`, `failed` or `closed`. */
                        phase?: string;
                    };
                };
            };
        };
    };
    openenvEnvironmentMcp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    openenvEnvironmentListEnvironments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    openenvEnvironmentNameSplits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        type: "train" | "validation" | "test";
                    }[];
                };
            };
        };
    };
    openenvEnvironmentNameNumTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        num_tasks: number;
                    };
                };
            };
        };
    };
    openenvEnvironmentNameTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    index: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        task: components["schemas"]["NamedTask"];
                        env_name: string;
                    };
                };
            };
        };
    };
    openenvEnvironmentNameTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
    openenvEnvironmentNameTaskRange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environment: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    split: string;
                    start?: number | null;
                    stop?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["NamedTask"][];
                        env_name: string;
                    };
                };
            };
        };
    };
}

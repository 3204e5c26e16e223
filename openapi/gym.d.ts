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
        /** Whether it takes new work. */
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
        /** What this address is: a page for browsers, by their Accept header, and JSON for programs. */
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
        /** The environments of this gym, and whether this machine can run them. */
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
        /** One environment: splits, limits, prompt, needs. */
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
        /** The tasks of a split, a page at a time. */
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
        /** Your episodes, newest first, a page at a time. */
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
        /** Opens many episodes. Entry i of a repeated request is the same episode if the idempotency key is. */
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
        /** Where an episode stands. Also how a client finds its place again after its connection dropped. */
        get: operations["get"];
        put?: never;
        post?: never;
        /** Ends an episode for good and frees its instance. Its transcript stays. */
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
        /** What the agent saw first, before its first step. */
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
        /** The steps of an episode with their replies, a page at a time. */
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
        /** Takes one step. Safe to repeat: the same index and action give the stored reply. */
        post: operations["step"];
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
        /** Takes many steps, of one or many episodes; those of one episode in the order given. */
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
        /** Scores answers to tasks by the environment's verifier, without an episode: for a trainer with a loop of its own. */
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
        /** A new episode that has taken the first steps of this one. */
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
        /** The expert's next action. Needs a token with the right `expert`; the episode is marked for good. */
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
        /** A picture of a running episode as it stands, for people. */
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
        /** What a running episode tells of itself where it stands, by one of its environment's queries. One that gives the solution away is as the expert: it needs the right `expert`, and marks the episode. */
        get: operations["query"];
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
        /** A new environment id, reset to the task of the same number. */
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
        /** The newest observation. */
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
        /** The newest observation, reward and end. */
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
        /** Frees an environment id; whether there was one. */
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
        /** A new environment id, at the task of the same number until its first reset. */
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
        /** The newest observation of a task that is not finished, after the goal. */
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
        /** Frees an environment id; whether there was one. */
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
        /** MiniGrid's picture of the grid, as a data URL. */
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
        /** A new environment id, at the first task until its first reset. */
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
        /** Takes one step, and tells what a viewer shows. */
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
        /** Frees an environment id; whether there was one. */
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
        /** The newest observation. */
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
        /** The newest observation, reward, score and end, and the task. */
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
        /** The wordings of all actions, and what can be named. */
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
        /** Which of the task's goals are met. */
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
        /** What the task asks for. */
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
        /** What is in what, as far as it can be seen. */
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
        /** All of these in one, of actions and things the first ten. */
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
        /** Says that the server is there. */
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
        /** A new environment id. It has no task until its first reset. */
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
        /** The newest observation. */
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
        /** Facts on the newest observation: none. */
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
        /** Says that the server is there. */
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
        /** A new environment id. It has no task until its first reset. */
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
        /** The newest observation. */
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
        /** Facts on the newest observation: none. */
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
        /** Says that the server is there. */
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
        /** A new environment id, with the question of this number. */
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
        /** Resets an environment id to a question; the prompt with it. */
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
        /** The prompt with the question. */
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Advice: {
            /** @description The index of the step that the action is meant for. */
            index: number;
            /** @description null: no way leads to the reward from here. */
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
            /** @description The sum of all rewards, which AgentGym's client takes for the reward. */
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
            /** @description The sum of all rewards, which AgentGym's client takes for the reward. */
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
            /** @description What the score has gained. */
            reward: number;
            /** @description From 0 to 100, or below where the task has failed; AgentGym's client takes it for the reward. */
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
            /** @description What the score has gained. */
            reward: number;
            /** @description From 0 to 100, or below where the task has failed; AgentGym's client takes it for the reward. */
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
            /** @description What the score has gained. */
            reward: number;
            /** @description From 0 to 100, or below where the task has failed; AgentGym's client takes it for the reward. */
            score: number;
            done: boolean;
            /** @description As the Python API's. */
            info: {
                [key: string]: unknown;
            };
            /** @description null after the end. */
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
            /** @description What has to be done. */
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
            /** @description The score, once terminated; 0 before. */
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
        Answer: {
            /** @description The number of steps so far. */
            index: number;
            /** @description JSON, as the environment says of the query. */
            answer: unknown;
        };
        Closed: {
            /** @description As given when the episode was created. */
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
            /** @description `textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine that has a name. */
            environment: string;
            task: {
                /** @description Defaults to the environment's first split. */
                split?: string;
                index: number;
            };
            /**
             * @description All that is random in the episode follows from it.
             * @default 0
             */
            seed?: number;
            /** @description How to play, by the environment's options; its defaults for what is left out. */
            options?: {
                [key: string]: string;
            };
            /** @description The step at which the episode is truncated; the environment's own limit by default. */
            maxSteps?: number;
            /** @description After so long without a call the instance is freed; the next call restores it. */
            leaseMs?: number;
        };
        Environment: {
            id: string;
            /** @description A number that rises, or the name of another engine behind the same id. */
            version: number | string;
            summary: string;
            splits: {
                [key: string]: {
                    size: number;
                    summary: string;
                };
            };
            /** @description The split meant where a task names none. */
            defaultSplit: string;
            /** @description How an episode can be played. Of each option's values the first is the default; its prompt, tools and rewardRange, if any, stand in for the environment's. */
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
            /** @description The step at which an episode is truncated. */
            maxSteps: number;
            /** @description Lowest and highest reward of one step. */
            rewardRange: number[];
            /** @description The least that the rewards of an episode add up to where its task was solved. */
            solvedReward: number;
            /** @description The entry of an episode's first `info` that tells what kind of task it is; null where there is none. */
            familyKey: string | null;
            /** @description Instructions for an agent. */
            prompt: string;
            /** @description Actions as functions, for agents that call functions; empty where there are none. */
            tools: components["schemas"]["Tool"][];
            /**
             * @description How an episode comes back after its instance is gone; `none`: it does not.
             * @enum {string}
             */
            restore: "clone" | "replay" | "none";
            /** @description What a running episode can be asked, by name; the episode goes on the same. */
            queries: {
                [key: string]: {
                    summary: string;
                };
            };
            hasExpert: boolean;
            /** @description Whether it scores answers without an episode. */
            hasVerifier: boolean;
            rendersPictures: boolean;
            /** @description Whether this machine has all that the environment needs. */
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
            /** @description As given when the episode was created. */
            episodeId: string;
            /** @description `id@version` */
            environment: string;
            task: components["schemas"]["Task"];
            seed: number;
            /** @description A value for each of the environment's options. */
            options: {
                [key: string]: string;
            };
            /** @enum {string} */
            phase: "running" | "ended" | "failed" | "closed";
            /** @description The index that the next step has to carry: the number of steps so far. */
            index: number;
            /** @description What the agent saw last. */
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            /** @description Of the last step; 0 before the first. */
            reward: number;
            terminated: boolean;
            truncated: boolean;
            /** @description Facts for trainers and people, not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description Whether the expert was ever asked for advice in it. */
            expertUsed: boolean;
            /** @description The episode that it was forked from. */
            parent: string | null;
            failure: components["schemas"]["Error"] | null;
            /** @description The step at which it is truncated. */
            maxSteps: number;
            leaseMs: number;
            /** Format: date-time */
            createdAt: string;
        };
        EpisodePage: {
            episodes: components["schemas"]["EpisodeSummary"][];
            /** @description `before` of the next page; null on the last. */
            next: string | null;
        };
        EpisodeSummary: {
            /** @description As given when the episode was created. */
            episodeId: string;
            /** @description `id@version` */
            environment: string;
            task: components["schemas"]["Task"];
            seed: number;
            /** @description A value for each of the environment's options. */
            options: {
                [key: string]: string;
            };
            /** @description The episode that it was forked from. */
            parent: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        Error: {
            /**
             * @description What happened; openapi/errors.md lists every code.
             * @enum {string}
             */
            code: "REQUEST_MALFORMED" | "REQUEST_INVALID" | "REQUEST_TOO_LARGE" | "REQUEST_HEAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "REQUEST_MEDIA_TYPE" | "ROUTE_UNKNOWN" | "METHOD_NOT_ALLOWED" | "SOCKET_FRAME_BINARY" | "SOCKET_EXPECTED" | "TOKEN_MISSING" | "TOKEN_INVALID" | "RIGHT_MISSING" | "ORIGIN_REFUSED" | "ENVIRONMENT_UNKNOWN" | "ENVIRONMENT_UNAVAILABLE" | "OPTION_UNKNOWN" | "SPLIT_UNKNOWN" | "TASK_OUT_OF_RANGE" | "EPISODE_UNKNOWN" | "EPISODE_CLOSED" | "EPISODE_ENDED" | "EPISODE_FAILED" | "EPISODE_LOST" | "STEP_INDEX" | "STEP_CONFLICT" | "ACTION_TOO_LARGE" | "BATCH_TOO_LARGE" | "IDEMPOTENCY_CONFLICT" | "EXPERT_MISSING" | "VERIFIER_MISSING" | "RENDER_MISSING" | "QUERY_UNKNOWN" | "ENVIRONMENT_THREW" | "ENVIRONMENT_HUNG" | "ENVIRONMENT_OUT_OF_MEMORY" | "ENVIRONMENT_RESULT" | "ENVIRONMENT_DIVERGED" | "ENVIRONMENT_TIMEOUT" | "SANDBOX_MISSING" | "SANDBOX_REFUSED" | "SANDBOX_START" | "SANDBOX_TIMEOUT" | "SANDBOX_LOST" | "SANDBOX_TOO_LARGE" | "SANDBOX_NO_FILE" | "SERVICE_FAILED" | "HOST_FAILED" | "LOG_FAILED" | "SERVER_DRAINING" | "SERVER_FAULT" | "LIMIT_TOKEN_EPISODES" | "LIMIT_EPISODES" | "LIMIT_IN_FLIGHT" | "SANDBOX_FULL" | "LIMIT_UNSENT";
            /**
             * @description Whose failure it is: the caller's action, a bug in the environment, the gym's machinery, or a limit that passes.
             * @enum {string}
             */
            class: "action" | "environment" | "infrastructure" | "capacity";
            /** @description `expected …, but received …` */
            message: string;
            details?: {
                [key: string]: unknown;
            };
        };
        ErrorReply: {
            error: components["schemas"]["Error"];
        };
        ForkRequest: {
            /** @description How many steps to keep; all of them by default. */
            index?: number;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "not ready";
            detail: string;
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
        Opening: {
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            /** @description Facts for trainers and people, not for the agent. */
            info: {
                [key: string]: unknown;
            };
        };
        Picture: {
            /** @description The number of steps so far. */
            index: number;
            picture: {
                /** @constant */
                type: "image";
                /** @enum {string} */
                mediaType: "image/png" | "image/svg+xml";
                data: string;
            };
        };
        RewardReply: {
            /** @description `id@version` */
            environment: string;
            /** @description In the order of the answers. */
            results: (components["schemas"]["Verdict"] | components["schemas"]["ErrorReply"])[];
        };
        RewardRequest: {
            /** @description `textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine that has a name. */
            environment: string;
            /** @description By the environment's options; its defaults for what is left out. */
            options?: {
                [key: string]: string;
            };
            answers: {
                task: {
                    /** @description Defaults to the environment's first split. */
                    split?: string;
                    index: number;
                };
                /** @description What the model wrote. */
                answer: string;
                /** @description Steps that the answer took, for rewards that count them. */
                steps?: number;
                /** @description Tokens that the answer took, for rewards that count them. */
                tokens?: number;
            }[];
        };
        Root: {
            /** @constant */
            name: "palestra";
            version: string;
            /** @description Whether this caller has to send a bearer token for everything but `/`. */
            needsToken: boolean;
            /** @description `id@version`; empty for a caller who has to send a token. */
            environments: string[];
            /** @description Relative to this URL. */
            links: {
                [key: string]: string;
            };
        };
        StepManyReply: {
            /** @description In the order of the steps. */
            results: (components["schemas"]["StepReply"] | components["schemas"]["ErrorReply"])[];
        };
        StepManyRequest: {
            steps: {
                /** @description How many steps the episode has had. A step already taken gives its stored reply if the action is the same. */
                index: number;
                /** @description What the agent wrote. */
                action: string;
                /** @description As given when the episode was created. */
                episodeId: string;
            }[];
        };
        StepReply: {
            index: number;
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            reward: number;
            /** @description The task itself has ended. */
            terminated: boolean;
            /** @description A limit from outside the task was reached. */
            truncated: boolean;
            /** @description Facts for trainers and people, not for the agent. */
            info: {
                [key: string]: unknown;
            };
        };
        StepRequest: {
            /** @description How many steps the episode has had. A step already taken gives its stored reply if the action is the same. */
            index: number;
            /** @description What the agent wrote. */
            action: string;
        };
        Task: {
            split: string;
            index: number;
        };
        TaskPage: {
            tasks: components["schemas"]["TaskSummary"][];
            /** @description `from` of the next page; null on the last. */
            next: number | null;
        };
        TaskSummary: {
            split: string;
            index: number;
            /** @description What has to be done. */
            title: string;
        };
        Tool: {
            name: string;
            description: string;
            /** @description JSON Schema of a call's arguments. All are required, and each is text, a whole number or a list of texts, unless the action ends with `{arguments}`. */
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
            /** @description The action that a call stands for: `get {count} {item}`. The entries of a list have `, ` between them. A text whose name stands in quotation marks, `"{text}"`, is written as JSON. `{arguments}` at the end stands for all of them as one JSON object. */
            action: string;
        };
        Transcript: {
            steps: components["schemas"]["TranscriptStep"][];
            /** @description `from` of the next page; null on the last. */
            next: number | null;
        };
        TranscriptStep: {
            index: number;
            observation: string;
            parts?: components["schemas"]["ObservationPart"][];
            reward: number;
            /** @description The task itself has ended. */
            terminated: boolean;
            /** @description A limit from outside the task was reached. */
            truncated: boolean;
            /** @description Facts for trainers and people, not for the agent. */
            info: {
                [key: string]: unknown;
            };
            /** @description What the agent wrote. */
            action: string;
        };
        Verdict: {
            reward: number;
            /** @description How the reward came about. Not for the agent. */
            info: {
                [key: string]: unknown;
            };
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
            /** @description No; `detail` says why. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT */
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
                /** @description `textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine that has a name. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT */
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
                /** @description Defaults to the environment's first split. */
                split?: string;
                /** @description Index of the first task of the page. */
                from?: number;
                /** @description Tasks of the page, at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `textcraft` for the newest version, `textcraft@1` for that one, `sciworld@jvm` for an engine that has a name. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT */
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
                /** @description Episodes older than this one. */
                before?: string;
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED */
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
                /** @description The same key and request give the same episode, however often they are sent. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description LIMIT_UNSENT, ENVIRONMENT_UNAVAILABLE, HOST_FAILED, LOG_FAILED, SERVER_DRAINING, LIMIT_EPISODES, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
                /** @description The same key and request give the same episode, however often they are sent. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description SERVER_FAULT */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_UNSENT, ENVIRONMENT_UNAVAILABLE, LIMIT_IN_FLIGHT, SERVER_DRAINING */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
                /** @description As given when the episode was created. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
                /** @description As given when the episode was created. */
                episodeId: string;
                /** @description As the environment names it. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description LIMIT_TOKEN_EPISODES */
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
            /** @description SERVER_FAULT, ENVIRONMENT_THREW, ENVIRONMENT_HUNG, ENVIRONMENT_OUT_OF_MEMORY, ENVIRONMENT_RESULT, ENVIRONMENT_DIVERGED */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorReply"];
                };
            };
            /** @description LIMIT_UNSENT, LOG_FAILED, HOST_FAILED, SERVER_DRAINING, LIMIT_EPISODES, LIMIT_IN_FLIGHT, SANDBOX_MISSING, SANDBOX_REFUSED, SANDBOX_START, SANDBOX_TIMEOUT, SANDBOX_LOST, SANDBOX_NO_FILE, SANDBOX_TOO_LARGE, SANDBOX_FULL, SERVICE_FAILED */
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
    agentgymTextcraftHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymTextcraftDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymBabyaiDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldVisualStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldDetail"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldActionHint"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSciworldState"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaReset"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaOpen"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaReset"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymWebarenaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
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
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentgymSearchqaStep"] | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
            /** @description The result, or a domain error. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean | components["schemas"]["AgentgymFailure"];
                };
            };
            /** @description TOKEN_MISSING, TOKEN_INVALID */
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
        };
    };
}

"""Agents of frameworks, at the endpoint. Reads a rollout a line, as JSON, and writes what its agent answered."""

import asyncio
import json
import os
import sys

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent as OpenAIAgent
from agents import OpenAIResponsesModel, Runner, function_tool
from anthropic import AsyncAnthropic
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai import NativeOutput
from pydantic_ai.models.openai import OpenAIResponsesModel as PydanticResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider
from smolagents import OpenAIModel, ToolCallingAgent, tool

question = "1+2?"


class Sum(BaseModel):
    value: int


def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def openai(rollout: dict) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=rollout["base_url"], api_key="any", max_retries=0)


async def openai_agents(rollout: dict, streamed: bool, **more) -> str:
    async with openai(rollout) as client:
        agent = OpenAIAgent(name="x", tools=[function_tool(add)], model=OpenAIResponsesModel("any", client))
        if not streamed:
            return (await Runner.run(agent, question, **more)).final_output
        running = Runner.run_streamed(agent, question, **more)
        async for _ in running.stream_events():
            pass
        return running.final_output


async def by_previous_response(rollout: dict, streamed: bool) -> str:
    return await openai_agents(rollout, streamed, auto_previous_response_id=True)


async def pydantic_ai(rollout: dict, streamed: bool) -> str:
    async with openai(rollout) as client:
        model = PydanticResponsesModel("any", provider=OpenAIProvider(openai_client=client))
        agent = PydanticAgent(model, tools=[add])
        if not streamed:
            return (await agent.run(question)).output
        async with agent.run_stream(question) as running:
            return await running.get_output()


async def anthropic_sdk(rollout: dict, streamed: bool) -> str:
    integer = {"type": "integer"}
    schema = {"type": "object", "properties": {"a": integer, "b": integer}, "required": ["a", "b"]}
    asked = {"model": "any", "max_tokens": 90, "tools": [{"name": "add", "description": "Adds.", "input_schema": schema}]}
    messages = [{"role": "user", "content": question}]
    async with AsyncAnthropic(base_url=rollout["anthropic_base_url"], api_key="any", max_retries=0) as client:
        while True:
            if streamed:
                async with client.messages.stream(messages=messages, **asked) as stream:
                    message = await stream.get_final_message()
            else:
                message = await client.messages.create(messages=messages, **asked)
            uses = [block for block in message.content if block.type == "tool_use"]
            if not uses:
                return "".join(block.text for block in message.content)
            messages.append({"role": "assistant", "content": message.content})
            results = [{"type": "tool_result", "tool_use_id": use.id, "content": str(add(**use.input))} for use in uses]
            messages.append({"role": "user", "content": results})


async def langgraph(rollout: dict, streamed: bool) -> str:
    model = ChatOpenAI(model="any", base_url=rollout["base_url"], api_key="any", max_retries=0, streaming=streamed)
    played = await create_react_agent(model, [add]).ainvoke({"messages": [("user", question)]})
    return played["messages"][-1].content


async def langgraph_output(rollout: dict, method: str) -> int:
    model = ChatOpenAI(model="any", base_url=rollout["base_url"], api_key="any", max_retries=0)
    return (await model.with_structured_output(Sum, method=method).ainvoke(question)).value


def autogen_client(rollout: dict) -> OpenAIChatCompletionClient:
    abilities = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True}
    return OpenAIChatCompletionClient(
        model="any",
        base_url=rollout["base_url"],
        api_key="any",
        max_retries=0,
        model_info={**abilities, "family": "unknown"},
    )


async def autogen_output(rollout: dict) -> int:
    client = autogen_client(rollout)
    played = await AssistantAgent("x", client, output_content_type=Sum).run(task=question)
    await client.close()
    return played.messages[-1].content.value


async def openai_agents_output(rollout: dict) -> int:
    async with openai(rollout) as client:
        agent = OpenAIAgent(name="x", model=OpenAIResponsesModel("any", client), output_type=Sum)
        return (await Runner.run(agent, question)).final_output.value


async def pydantic_ai_output(rollout: dict, output_type) -> int:
    async with openai(rollout) as client:
        model = PydanticResponsesModel("any", provider=OpenAIProvider(openai_client=client))
        return (await PydanticAgent(model, output_type=output_type).run(question)).output.value


async def autogen(rollout: dict, streamed: bool) -> str:
    client = autogen_client(rollout)

    async def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    # The agent asks for its answer after the tool's result without its tools.
    agent = AssistantAgent("x", client, tools=[add], reflect_on_tool_use=True, model_client_stream=streamed)
    played = await agent.run(task=question)
    await client.close()
    return played.messages[-1].content


frameworks = {
    "langgraph": langgraph,
    "autogen": autogen,
    "openai-agents": openai_agents,
    "openai-agents, previous_response_id": by_previous_response,
    "pydantic-ai": pydantic_ai,
    "anthropic": anthropic_sdk,
}

outputs = {
    "langgraph, json_schema": lambda rollout: langgraph_output(rollout, "json_schema"),
    "langgraph, function_calling": lambda rollout: langgraph_output(rollout, "function_calling"),
    "autogen": autogen_output,
    "openai-agents": openai_agents_output,
    "pydantic-ai, tool": lambda rollout: pydantic_ai_output(rollout, Sum),
    "pydantic-ai, native": lambda rollout: pydantic_ai_output(rollout, NativeOutput(Sum)),
}


def smolagents_calls(rollout: dict) -> list[str]:
    @tool
    def add(a: int, b: int) -> int:
        """Adds.

        Args:
            a: one number
            b: another number
        """
        return a + b

    model = OpenAIModel(model_id="any", api_base=rollout["base_url"], api_key="any")
    agent = ToolCallingAgent(tools=[add], model=model, max_steps=1, verbosity_level=0)
    agent.run(question)
    return [call.name for step in agent.memory.steps for call in getattr(step, "tool_calls", None) or []]


async def play(asked: dict) -> object:
    if asked["framework"] == "smolagents":
        return smolagents_calls(asked["rollout"])
    if asked.get("output"):
        return await outputs[asked["framework"]](asked["rollout"])
    return await frameworks[asked["framework"]](asked["rollout"], asked["streamed"])


# The frameworks are loaded, which takes a while.
print(json.dumps("ready"), flush=True)

for line in sys.stdin:
    asked = json.loads(line)
    try:
        said = {"answer": asyncio.run(play(asked))}
    except Exception as error:
        said = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)

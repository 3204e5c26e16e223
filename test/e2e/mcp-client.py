"""Plays an episode over MCP with the client of the `mcp` package or of `fastmcp`, and prints the results as JSON.

Arguments: `mcp` or `fastmcp`, the URL of an episode's endpoint, and the calls as JSON: [[name, arguments], ...].
"""

import asyncio
import json
import sys

kind, url, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])


def text_of(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


async def play_fastmcp():
    from fastmcp import Client

    async with Client(url) as client:
        tools = [tool.name for tool in await client.list_tools()]
        results = [await client.call_tool(name, given, raise_on_error=False) for name, given in calls]
        resources = [str(resource.uri) for resource in await client.list_resources()]
        return tools, results, resources


async def play_mcp():
    from mcp import Client

    async with Client(url) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        results = [await client.call_tool(name, given) for name, given in calls]
        resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
        return tools, results, resources


tools, results, resources = asyncio.run(play_fastmcp() if kind == "fastmcp" else play_mcp())
failed = [bool(getattr(result, "is_error", None) or getattr(result, "isError", None)) for result in results]
print(json.dumps({"tools": tools, "texts": [text_of(result) for result in results], "failed": failed, "resources": resources}))

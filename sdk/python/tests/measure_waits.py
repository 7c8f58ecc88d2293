"""Measures what many waits at once cost the process that waits: python measure_waits.py [1000]

The service is a process of its own and holds every answer back until all wait. Prints one line of JSON: kibibytes of memory
and seconds of processor time from before the first wait to after the last, threads, and sockets. Needs Linux and, for the
sockets, `ulimit -n` of at least 200 more than waits.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import threading
import time
from pathlib import Path

from small_service import KEY
from waiting_service import WaitingService

from sutura_sdk import AsyncSuturaClient


async def serve(count: int) -> None:
    async with WaitingService() as service:
        print(service.url, flush=True)
        await service.until(lambda: service.waiting == count)
        print("all wait", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        service.answer()
        await service.until(lambda: service.ended == count)


def resident_kib() -> int:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


async def measure(count: int) -> None:
    service = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--serve", str(count), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert service.stdin is not None and service.stdout is not None
    async with AsyncSuturaClient(KEY, base_url=(await service.stdout.readline()).decode().strip()) as client:
        memory, processor, began = resident_kib(), time.process_time(), time.monotonic()
        waits = [asyncio.ensure_future(client.wait_for_job(f"job-{number}")) for number in range(count)]
        await service.stdout.readline()
        held = {
            "memoryKib": resident_kib() - memory,
            "threads": threading.active_count(),
            "sockets": len(os.listdir("/proc/self/fd")),
            "untilAllWaitS": round(time.monotonic() - began, 2),
        }
        service.stdin.write(b"\n")
        await asyncio.gather(*waits)
        print(json.dumps({"waits": count, **held, "processorS": round(time.process_time() - processor, 2), "python": sys.version.split()[0]}))
    await service.wait()


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(int(sys.argv[2])))
    else:
        asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))

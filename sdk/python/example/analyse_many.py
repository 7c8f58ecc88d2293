"""Analyses all photos of a folder at once, in one thread: python analyse_many.py FOLDER

Needs SUTURA_API_KEY, and SUTURA_BASE_URL where the service is not on this machine at port 3000.
"""

import asyncio
import sys
from pathlib import Path

from sutura_sdk import AsyncSuturaClient, SuturaError


async def analyse(client: AsyncSuturaClient, photo: Path) -> None:
    try:
        job = await client.analyze_image_and_wait(photo)
        area = job.result["wounds"][0]["area"]["cm2"] if job.result["wounds"] else None
        shown = "no area" if area is None else f"{area['value']} cm2"
        waits = ", ".join(job.result.get("attention", []))
        print(f"{photo.name}: {shown}; waits for a person: {waits or 'no'}")
    except (SuturaError, OSError) as error:
        print(f"{photo.name}: {error}", file=sys.stderr)


async def main(folder: Path) -> None:
    photos = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    async with AsyncSuturaClient() as client:
        await asyncio.gather(*(analyse(client, photo) for photo in photos))


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(Path(sys.argv[1])))

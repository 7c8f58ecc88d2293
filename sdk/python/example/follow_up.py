"""Prints the timeline of a wound and saves its course report: python follow_up.py PATIENT WOUND

PATIENT and WOUND are your own ids. Needs SUTURA_API_KEY, and SUTURA_BASE_URL where the service is not on this machine at
port 3000.
"""

import sys
from pathlib import Path

from sutura_sdk import SuturaClient, SuturaError, TimelineAssessment

if len(sys.argv) != 3:
    sys.exit(__doc__)


def line_of(one: TimelineAssessment) -> str:
    area = f"{one.area_cm2['value']} cm2" if one.area_cm2 else f"no area ({one.no_trend_reason})"
    change = f", {one.since_previous['areaPct']:+} %, {one.trend or 'not comparable'}" if one.since_previous else ""
    flags = "".join(f" [{flag['code']}]" for flag in one.flags)
    return f"{one.sequence}. {one.captured_at}: {area}{change}{flags}"


try:
    with SuturaClient() as client:
        wounds = client.list_wounds(patient_id=sys.argv[1], wound_id=sys.argv[2], limit=1).items
        if not wounds:
            sys.exit("No such wound.")
        for assessment in client.get_wound_timeline(wounds[0].id).assessments:
            print(line_of(assessment))
        document = Path("course.pdf")
        document.write_bytes(client.download_wound_report(wounds[0].id, format="pdf"))
        print("saved", document)
except (SuturaError, OSError) as error:
    sys.exit(str(error))

"""Analyses one photo: python analyse.py photo.jpg

Needs SUTURA_API_KEY, and SUTURA_BASE_URL where the service is not on this machine at port 3000.
"""

import sys
from pathlib import Path

from sutura_sdk import SuturaClient, SuturaError

if len(sys.argv) != 2:
    sys.exit(__doc__)
photo = Path(sys.argv[1])
try:
    with SuturaClient() as client:
        job = client.analyze_image_and_wait(photo)
        for wound in job.result["wounds"] if job.result else []:
            cm2 = wound["area"]["cm2"]
            size = f"{cm2['value']} cm2" if cm2 else "no cm2 without a scale"
            print(f"wound {wound['index'] + 1}: {wound['area']['pixels']} pixels, {size}")
        print("saved", client.download_artifact(job.id, "overlay", f"{photo.stem}.overlay.jpg").path)
except (SuturaError, OSError) as error:
    sys.exit(str(error))

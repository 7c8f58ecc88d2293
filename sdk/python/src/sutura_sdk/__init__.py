"""Client of the Sutura wound-assessment service, with nothing but the standard library.

```python
from sutura_sdk import SuturaClient

client = SuturaClient()
job = client.analyze_image_and_wait("photo.jpg")
print(job.status, job.result["woundDetected"])
```
"""

from ._photo import ImageFile
from ._version import VERSION as __version__
from .client import SuturaClient
from .errors import (
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    FieldProblem,
    GoneError,
    JobFailedError,
    MalformedResponseError,
    NetworkError,
    NotFoundError,
    PayloadTooLargeError,
    QuotaExceededError,
    RateLimitError,
    RequestTimeoutError,
    ScopeError,
    ServerError,
    SuturaError,
    UnprocessableError,
    UnsupportedImageError,
    UnsupportedMediaTypeError,
    WaitTimeoutError,
)
from .models import (
    Artifact,
    Calibration,
    ClinicianObservations,
    CodedConcept,
    Job,
    JobError,
    JobPage,
    OnProgress,
    Progress,
    Subject,
    UploadProgress,
    UploadReceipt,
    UploadTicket,
    Usage,
    WaitProgress,
)

__all__ = [
    "Artifact",
    "AuthenticationError",
    "BadRequestError",
    "Calibration",
    "ClinicianObservations",
    "CodedConcept",
    "ConfigurationError",
    "ConflictError",
    "FieldProblem",
    "GoneError",
    "ImageFile",
    "Job",
    "JobError",
    "JobFailedError",
    "JobPage",
    "MalformedResponseError",
    "NetworkError",
    "NotFoundError",
    "OnProgress",
    "PayloadTooLargeError",
    "Progress",
    "QuotaExceededError",
    "RateLimitError",
    "RequestTimeoutError",
    "ScopeError",
    "ServerError",
    "Subject",
    "SuturaClient",
    "SuturaError",
    "UnprocessableError",
    "UnsupportedImageError",
    "UnsupportedMediaTypeError",
    "UploadProgress",
    "UploadReceipt",
    "UploadTicket",
    "Usage",
    "WaitProgress",
    "WaitTimeoutError",
    "__version__",
]

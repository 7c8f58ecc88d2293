// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>The calibration card to print</summary>
        /// <param name="size">One size of card; absent: both.</param>
        public Task<byte[]> DownloadCalibrationCardAsync(string? size = null, CancellationToken cancellationToken = default) =>
            calls.BytesAsync(Call.Of("GET", "/api/v1/calibration-card.pdf").Query("size", size), "application/pdf", cancellationToken);

        /// <summary>Stored corrections of printed cards</summary>
        public Task<CalibrationCards> ListCalibrationCardsAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<CalibrationCards>(Call.Of("GET", "/api/v1/calibration-card"), cancellationToken, "items");

        /// <summary>Store the length of a printed check bar</summary>
        public Task<CalibrationCards> MeasureCalibrationCardAsync(CalibrationCardMeasurement request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<CalibrationCards>(Call.Of("PUT", "/api/v1/calibration-card").Json(request), cancellationToken, "items");

        /// <summary>Remove stored corrections</summary>
        /// <param name="size">One size of card; absent: both.</param>
        public Task ForgetCalibrationCardAsync(string? size = null, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("DELETE", "/api/v1/calibration-card").Query("size", size), cancellationToken);
    }
}

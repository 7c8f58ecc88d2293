using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk.Tests
{
    /// <summary>The client against a real service; ends with what does not hold.</summary>
    internal sealed class FlowChecks
    {
        private readonly SuturaClient client;

        internal FlowChecks(string url, string key) => client = new SuturaClient(new SuturaOptions { BaseUrl = url, ApiKey = key });

        internal async Task RunAsync(string photoPath, string folder)
        {
            using var photo = Photo.Of(photoPath);
            var job = await client.AnalyzeImageAndWaitAsync(photo, new AnalysisJobRequest
            {
                Subject = new JobSubject { PatientId = "MRN-CSHARP", WoundId = "W1" },
                Calibration = new Calibration { MmPerPixel = 0.2 },
            });
            Check(job.Result?.Wounds[0].Area.Cm2?.Value > 0, "an area in cm2");
            Check(!job.ToString().Contains("MRN-CSHARP", StringComparison.Ordinal), "what is printed has no content");
            var overlay = await client.DownloadArtifactAsync(job.Id, "overlay", Path.Combine(folder, "overlay.jpg"));
            Check(new FileInfo(overlay.Path).Length == overlay.SizeBytes && overlay.SizeBytes > 0, "the overlay is whole");
            await ReportAsync(job, folder);
            await ListsAsync(job);
            await WebhooksAsync();
            await CancelAsync(photo);
            await HeadersAsync();
            await client.MeasureCalibrationCardAsync(new CalibrationCardMeasurement { Size = "a4", MeasuredBarMm = 98.5 });
            Check((await client.ListCalibrationCardsAsync()).Items.Any(card => card.MeasuredBarMm == 98.5), "the bar is stored");
            await client.ForgetCalibrationCardAsync();
            Check((await client.ListModelsAsync()).Items.Count > 0, "there are models");
            Check((await client.ListHeldAsync()).Items != null, "the list of what waits");
            var usage = await client.RequestAsync(new RawRequest("GET", "/api/v1/usage"));
            Check(usage.Json?.GetProperty("used").GetInt64() >= 1, "the use is counted");
        }

        private async Task ReportAsync(AnalysisJob job, string folder)
        {
            var report = await client.GetReportAsync(job.Links.Report!);
            var review = new ReviewRequest { Decision = "accept", Reviewer = new Reviewer { Id = "N-7", Name = "Example Reviewer" } };
            var accepted = await client.ReviewReportAsync(report, review);
            Check(accepted.Report.Version == report.Report.Version + 1, "a review makes a version");
            var stale = await RefusedAsync<PreconditionFailedException>(() => client.ReviewReportAsync(report, review));
            Check(stale.Code == ErrorCode.ReportStale, "the refusal has its code");
            var file = await client.SaveReportAsync(report.Id, Path.Combine(folder, "report.pdf"), DocumentFormat.Pdf,
                new DocumentOptions { Language = "de" });
            Check(Encoding.ASCII.GetString(File.ReadAllBytes(file.Path), 0, 5) == "%PDF-", "a PDF is saved");
        }

        private async Task ListsAsync(AnalysisJob job)
        {
            var wounds = new List<Wound>();
            await foreach (var wound in client.IterateWounds(new ListWoundsQuery { PatientId = "MRN-CSHARP", Limit = 1 }))
            {
                wounds.Add(wound);
            }
            Check(wounds.Count == 1 && wounds[0].Linked == true, "the wound is found by its patient");
            var course = await client.GetWoundTimelineAsync(wounds[0].Id);
            Check(course.Assessments[0].JobId == job.Id, "its course");
            var types = new List<string>();
            await foreach (var logged in client.IterateEvents())
            {
                types.Add(logged.Type);
            }
            Check(types.Contains("analysis.completed"), "the log tells of results");
            var lost = await RefusedAsync<NotFoundException>(() => client.GetJobAsync("01997f2e-ffff-7000-8000-00000000ffff"));
            Check(lost.Code == ErrorCode.JobNotFound && lost.RequestId != null, "with its code");
        }

        private async Task WebhooksAsync()
        {
            var refused = await RefusedAsync<UnprocessableException>(
                () => client.CreateWebhookAsync(new WebhookRequest { Url = "https://10.1.2.3/sutura" }));
            Check(refused.Code == ErrorCode.WebhookUrlRefused, "the refusal has its code");
            var webhook = await client.CreateWebhookAsync(new WebhookRequest { Url = "https://ward.example.org/sutura" });
            Check(webhook.Secret.StartsWith("whsec_", StringComparison.Ordinal), "a secret");
            Check(!webhook.ToString().Contains("whsec_", StringComparison.Ordinal), "the secret is not printed");
            await client.ChangeWebhookAsync(webhook.Id, new WebhookChange { Types = new[] { "report.ready" } });
            Check((await client.ListWebhooksAsync()).Items[0].Types.SequenceEqual(new[] { "report.ready" }), "it is changed");
            await client.DeleteWebhookAsync(webhook.Id);
            Check((await client.ListWebhooksAsync()).Items.Count == 0, "it is gone");
        }

        private async Task CancelAsync(Photo photo)
        {
            using var cancelled = new CancellationTokenSource();
            cancelled.Cancel();
            try
            {
                await client.AnalyzeImageAsync(photo, cancellationToken: cancelled.Token);
            }
            catch (OperationCanceledException)
            {
                return;
            }
            Check(false, "a cancelled call ends");
        }

        private async Task HeadersAsync()
        {
            foreach (var key in new[] { "größer", "a\r\nx-more: b" })
            {
                try
                {
                    await client.CreateAnalysisJobAsync(new AnalysisJobRequest(), key);
                    Check(false, "a key that no header takes is refused");
                }
                catch (ArgumentException fault)
                {
                    Check(!fault.Message.Contains(key, StringComparison.Ordinal), "it is not shown");
                }
            }
        }

        private static async Task<T> RefusedAsync<T>(Func<Task> call) where T : SuturaException
        {
            try
            {
                await call();
            }
            catch (T fault)
            {
                return fault;
            }
            throw new InvalidOperationException($"does not hold: a {typeof(T).Name}");
        }

        private static void Check(bool holds, string what)
        {
            if (!holds)
            {
                throw new InvalidOperationException($"does not hold: {what}");
            }
        }
    }
}

using System;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk.Tests
{
    /// <summary>The server that plays the cases.</summary>
    internal sealed class ScriptedServer
    {
        private readonly HttpClient http = new HttpClient();
        private readonly string otherUrl;

        internal ScriptedServer(string line)
        {
            using var given = JsonDocument.Parse(line);
            string Text(string name) => given.RootElement.GetProperty(name).GetString();
            (Url, otherUrl, ApiKey, Signature) = (Text("url"), Text("otherUrl"), Text("apiKey"), Text("signature"));
        }

        internal string Url { get; }

        internal string ApiKey { get; }

        internal string Signature { get; }

        internal JsonElement Fill(JsonElement value) => Parse(value.GetRawText()
            .Replace("{baseUrl}", Url, StringComparison.Ordinal).Replace("{otherUrl}", otherUrl, StringComparison.Ordinal)
            .Replace("{apiKey}", ApiKey, StringComparison.Ordinal).Replace("{signature}", Signature, StringComparison.Ordinal));

        internal async Task PlayAsync(JsonElement one)
        {
            var body = $"{{\"exchanges\":{one.GetProperty("exchanges").GetRawText()}}}";
            using var content = new StringContent(body, Encoding.UTF8, "application/json");
            using var answer = await http.PostAsync(Url + "/__case", content);
            answer.EnsureSuccessStatusCode();
        }

        internal async Task<string[]> MismatchesAsync() =>
            Parse(await http.GetStringAsync(Url + "/__report")).GetProperty("mismatches").EnumerateArray().Select(one => one.GetString()).ToArray();

        internal Task<byte[]> SampleAsync(string name) => http.GetByteArrayAsync($"{Url}/__samples/{name}");

        internal static JsonElement Parse(string text)
        {
            using var document = JsonDocument.Parse(text);
            return document.RootElement.Clone();
        }
    }

    /// <summary>Real time goes on; pauses are written down and take none.</summary>
    internal sealed class RecordingTime : ITime
    {
        private static readonly DateTimeOffset Start = new DateTimeOffset(2026, 1, 5, 8, 0, 0, TimeSpan.Zero);
        private readonly Random random = new Random();
        private System.Diagnostics.Stopwatch watch = System.Diagnostics.Stopwatch.StartNew();
        private TimeSpan skipped;

        internal System.Collections.Generic.List<long> PausesMs { get; } = new System.Collections.Generic.List<long>();

        public DateTimeOffset Now => Start + watch.Elapsed + skipped;

        /// <summary>The call begins: what a case took to be set up does not count.</summary>
        internal void Begin() => watch = System.Diagnostics.Stopwatch.StartNew();

        public double Random() => random.NextDouble();

        public Task SleepAsync(TimeSpan pause, CancellationToken cancellationToken)
        {
            PausesMs.Add((long)pause.TotalMilliseconds);
            skipped += pause;
            return Task.CompletedTask;
        }
    }
}

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text.Json;
using System.Threading.Tasks;

namespace Sutura.Sdk.Tests
{
    /// <summary>One case against this client.</summary>
    internal sealed class CaseRun : IDisposable
    {
        private readonly ScriptedServer server;
        private readonly JsonElement one;
        private readonly string folder = Path.Combine(Path.GetTempPath(), $"sutura-contract-{Guid.NewGuid():N}");
        private readonly string box;
        private readonly RecordingTime time = new RecordingTime();
        private readonly List<string> lines = new List<string>();
        private readonly List<string> faults = new List<string>();

        private CaseRun(ScriptedServer server, JsonElement one)
        {
            (this.server, this.one) = (server, one);
            box = Directory.CreateDirectory(Path.Combine(folder, "box")).FullName;
        }

        internal static async Task<CaseRun> BeginAsync(ScriptedServer server, JsonElement given)
        {
            await server.PlayAsync(given);
            return new CaseRun(server, server.Fill(given));
        }

        public void Dispose() => Directory.Delete(folder, recursive: true);

        internal async Task<List<string>> FaultsAsync()
        {
            var client = Client();
            var call = new CaseCall(client, server, box, one.GetProperty("call"));
            object? value = null;
            Exception? error = null;
            try
            {
                time.Begin();
                value = await call.PerformAsync();
            }
            catch (Exception fault)
            {
                error = fault;
            }
            faults.AddRange(await server.MismatchesAsync());
            await CompareOutcomeAsync(value, error);
            CompareWaits();
            CompareProgress(call);
            await CompareFilesAsync();
            CompareSecrets(client.ToString(), error);
            return faults;
        }

        private SuturaClient Client()
        {
            var given = one.TryGetProperty("client", out var own) ? own : ScriptedServer.Parse("{}");
            var options = new SuturaOptions
            {
                ApiKey = server.ApiKey, BaseUrl = server.Url, Time = time, Log = lines.Add,
                // .NET repeats by itself where a kept connection was closed: the scripted server would count it.
                Handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false, PooledConnectionLifetime = TimeSpan.Zero },
            };
            if (given.TryGetProperty("baseUrl", out var url))
            {
                options.BaseUrl = url.GetString();
            }
            if (given.TryGetProperty("maxRetries", out var maxRetries))
            {
                options.MaxRetries = maxRetries.GetInt32();
            }
            if (given.TryGetProperty("timeoutMs", out var timeoutMs))
            {
                options.Timeout = TimeSpan.FromMilliseconds(timeoutMs.GetInt64());
            }
            if (given.TryGetProperty("maxRetryAfterMs", out var maxRetryAfterMs))
            {
                options.MaxRetryAfter = TimeSpan.FromMilliseconds(maxRetryAfterMs.GetInt64());
            }
            return new SuturaClient(options);
        }

        private async Task CompareOutcomeAsync(object? value, Exception? error)
        {
            var outcome = one.GetProperty("outcome");
            if (outcome.TryGetProperty("throws", out var wanted))
            {
                CompareError(wanted, value, error);
            }
            else if (error != null)
            {
                faults.Add($"it threw {error}");
            }
            else if (outcome.TryGetProperty("returnsSample", out var sample))
            {
                if (!(value is byte[] bytes) || !bytes.SequenceEqual(await server.SampleAsync(sample.GetString())))
                {
                    faults.Add("it did not return the bytes of the sample");
                }
            }
            else
            {
                Lacks(Forms.OfValue(value, outcome.GetProperty("returns")), outcome.GetProperty("returns"), "returned");
            }
        }

        private void CompareError(JsonElement wanted, object? value, Exception? error)
        {
            if (error == null)
            {
                faults.Add($"it returned {value}");
                return;
            }
            var form = Forms.OfError(error);
            foreach (var fact in wanted.EnumerateObject())
            {
                switch (fact.Name)
                {
                    case "type" when error.GetType().Name != fact.Value.GetString().Replace("Error", "Exception", StringComparison.Ordinal):
                        faults.Add($"it threw {error}, not {fact.Value}");
                        break;
                    case "messageContains" when !error.Message.Contains(fact.Value.GetString(), StringComparison.Ordinal):
                        faults.Add($"the message is {error.Message}");
                        break;
                    case "messageLacks" when error.Message.Contains(fact.Value.GetString(), StringComparison.Ordinal):
                        faults.Add($"the message has {fact.Value}");
                        break;
                    case "type":
                    case "messageContains":
                    case "messageLacks":
                        break;
                    default:
                        Lacks(form.TryGetProperty(fact.Name, out var actual) ? actual : (JsonElement?)null, fact.Value, $"error.{fact.Name}");
                        break;
                }
            }
        }

        /// <summary>What keeps <paramref name="actual"/> from having at least what <paramref name="wanted"/> has.</summary>
        private void Lacks(JsonElement? actual, JsonElement wanted, string at)
        {
            var found = actual ?? ScriptedServer.Parse("null");
            var isSame = wanted.ValueKind switch
            {
                JsonValueKind.Object => found.ValueKind == JsonValueKind.Object,
                JsonValueKind.Array => found.ValueKind == JsonValueKind.Array && found.GetArrayLength() == wanted.GetArrayLength(),
                JsonValueKind.Number => found.ValueKind == JsonValueKind.Number && found.GetDouble().Equals(wanted.GetDouble()),
                JsonValueKind.String => found.ValueKind == JsonValueKind.String && found.GetString() == wanted.GetString(),
                _ => found.ValueKind == wanted.ValueKind,
            };
            if (!isSame)
            {
                faults.Add($"{at} is {found.GetRawText()}, not {wanted.GetRawText()}");
            }
            else if (wanted.ValueKind == JsonValueKind.Object)
            {
                foreach (var field in wanted.EnumerateObject())
                {
                    Lacks(found.TryGetProperty(field.Name, out var own) ? own : (JsonElement?)null, field.Value, $"{at}.{field.Name}");
                }
            }
            else if (wanted.ValueKind == JsonValueKind.Array)
            {
                for (var index = 0; index < wanted.GetArrayLength(); index += 1)
                {
                    Lacks(found[index], wanted[index], $"{at}[{index}]");
                }
            }
        }

        private void CompareWaits()
        {
            if (!one.TryGetProperty("waits", out var wanted))
            {
                return;
            }
            if (wanted.GetArrayLength() != time.PausesMs.Count)
            {
                faults.Add($"it paused {string.Join(", ", time.PausesMs)}, not {wanted.GetArrayLength()} times");
                return;
            }
            for (var index = 0; index < time.PausesMs.Count; index += 1)
            {
                var ms = time.PausesMs[index];
                if (ms < wanted[index].GetProperty("atLeastMs").GetInt64() || ms > wanted[index].GetProperty("atMostMs").GetInt64())
                {
                    faults.Add($"pause {index} is {ms} ms, not {wanted[index]}");
                }
            }
        }

        private void CompareProgress(CaseCall call)
        {
            if (!one.TryGetProperty("progress", out var wanted))
            {
                return;
            }
            if (wanted.TryGetProperty("lastUpload", out var last))
            {
                Lacks(Forms.Of(new Dictionary<string, long> { ["sentBytes"] = call.SentBytes, ["totalBytes"] = call.TotalBytes }), last, "progress");
            }
            if (wanted.TryGetProperty("jobStatuses", out var states))
            {
                Lacks(Forms.Of(call.States), states, "states");
            }
        }

        private async Task CompareFilesAsync()
        {
            if (!one.TryGetProperty("files", out var wanted))
            {
                return;
            }
            var names = wanted.EnumerateObject().Select(file => file.Name).OrderBy(name => name, StringComparer.Ordinal).ToList();
            var found = Directory.GetFiles(box).Select(Path.GetFileName).OrderBy(name => name, StringComparer.Ordinal).ToList();
            if (!names.SequenceEqual(found!))
            {
                faults.Add($"the files are {string.Join(", ", found)}, not {string.Join(", ", names)}");
                return;
            }
            foreach (var file in wanted.EnumerateObject())
            {
                var bytes = await server.SampleAsync(file.Value.GetString());
                if (!bytes.SequenceEqual(File.ReadAllBytes(Path.Combine(box, file.Name))))
                {
                    faults.Add($"{file.Name} is not the sample");
                }
            }
        }

        private void CompareSecrets(string client, Exception? error)
        {
            if (lines.Count == 0 && one.GetProperty("exchanges").GetArrayLength() > 0)
            {
                faults.Add("it logged nothing");
            }
            var all = string.Join("\n", lines) + client + error;
            if (all.Contains(server.ApiKey, StringComparison.Ordinal))
            {
                faults.Add("the key is shown");
            }
            if (all.Contains(server.Signature, StringComparison.Ordinal))
            {
                faults.Add("a signature is shown");
            }
        }
    }
}

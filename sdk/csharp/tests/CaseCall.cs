using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk.Tests
{
    /// <summary>The operation of a case with its arguments.</summary>
    internal sealed class CaseCall : IProgress<UploadProgress>
    {
        private readonly SuturaClient client;
        private readonly ScriptedServer server;
        private readonly string folder;
        private readonly string operation;
        private readonly Dictionary<string, JsonElement> given = new Dictionary<string, JsonElement>();

        internal CaseCall(SuturaClient client, ScriptedServer server, string folder, JsonElement call)
        {
            (this.client, this.server, this.folder) = (client, server, folder);
            operation = call.GetProperty("operation").GetString();
            if (call.TryGetProperty("arguments", out var arguments))
            {
                given = arguments.EnumerateObject().ToDictionary(one => one.Name, one => one.Value);
            }
        }

        internal List<string> States { get; } = new List<string>();

        internal long SentBytes { get; private set; }

        internal long TotalBytes { get; private set; }

        public void Report(UploadProgress value) => (SentBytes, TotalBytes) = (value.SentBytes, value.TotalBytes);

        internal async Task<object?> PerformAsync()
        {
            switch (operation)
            {
                case "analyzeImage":
                case "analyzeImageAndWait":
                    return await AnalyzeAsync();
                case "uploadFileToSignedUrl":
                    return await UploadAsync();
                case "waitForJob":
                    return await client.WaitForJobAsync(Text("jobId")!, WaitOptions());
                case "reviewReport":
                    return await ReviewAsync();
                case "downloadArtifact":
                    return await client.DownloadArtifactAsync(Text("jobId")!, Text("artifact")!, TargetPath());
                case "downloadReport":
                    return await client.DownloadReportAsync(Text("reportId")!, Format(), DocumentOptions());
                case "saveReport":
                    return await client.SaveReportAsync(Text("reportId")!, TargetPath(), Format(), DocumentOptions());
                case "downloadWoundReport":
                    return await client.DownloadWoundReportAsync(Text("woundId")!, Format(), DocumentOptions());
                case "downloadWoundEvidence":
                    return await client.DownloadWoundEvidenceAsync(Text("woundId")!, Format(), DocumentOptions());
                case "request":
                    return await client.RequestAsync(RawRequest());
                default:
                    return await ByNameAsync();
            }
        }

        private JsonElement? Take(string name) => given.Remove(name, out var value) ? value : (JsonElement?)null;

        private string? Text(string name) => Take(name) is JsonElement value ? TextOf(value) : null;

        private static string? TextOf(JsonElement value) => value.ValueKind switch
        {
            JsonValueKind.Null => null,
            JsonValueKind.String => value.GetString(),
            _ => value.GetRawText(),
        };

        private long? Number(string name) => Take(name)?.GetInt64();

        private string TargetPath() => Path.Combine(folder, Take("path")!.Value.GetProperty("temporary").GetString());

        private DocumentFormat Format() => Enum.Parse<DocumentFormat>(Text("format")!, ignoreCase: true);

        private DocumentOptions DocumentOptions() => new DocumentOptions
        {
            Language = Text("language"), Paper = Text("paper"), From = Text("from"), To = Text("to"), Version = Number("version"),
        };

        private object Rest(Type type) => JsonSerializer.Deserialize(JsonSerializer.Serialize(given), type);

        private async Task<AnalysisJob> AnalyzeAsync()
        {
            var options = WaitOptions();
            var key = Text("idempotencyKey");
            using var photo = await PhotoAsync();
            var request = (AnalysisJobRequest)Rest(typeof(AnalysisJobRequest));
            return operation == "analyzeImage"
                ? await client.AnalyzeImageAsync(photo, request, key, this)
                : await client.AnalyzeImageAndWaitAsync(photo, request, options, key, this);
        }

        private async Task<Photo> PhotoAsync()
        {
            var file = Take("file")!.Value;
            var sample = file.GetProperty("sample").GetString();
            var bytes = await server.SampleAsync(sample);
            switch (file.GetProperty("as").GetString())
            {
                case "bytes":
                    return Photo.Of(bytes);
                case "path":
                    var path = Path.Combine(folder, "..", sample + ".photo");
                    File.WriteAllBytes(path, bytes);
                    return Photo.Of(path);
                default:
                    return await Photo.OfAsync(new MemoryStream(bytes));
            }
        }

        private async Task<UploadReceipt> UploadAsync()
        {
            using var photo = await PhotoAsync();
            if (Take("ticket") is JsonElement ticket)
            {
                return await client.UploadFileToSignedUrlAsync(JsonSerializer.Deserialize<UploadTicket>(ticket.GetRawText()), photo);
            }
            var headers = Take("headers") is JsonElement texts ? JsonSerializer.Deserialize<Dictionary<string, string>>(texts.GetRawText()) : null;
            return await client.UploadFileToSignedUrlAsync(Text("uploadUrl")!, headers, Number("maxBytes"), photo, this);
        }

        private WaitOptions WaitOptions()
        {
            var options = new WaitOptions { OnState = job => States.Add(job.Status) };
            if (Number("timeoutMs") is long timeoutMs)
            {
                options.Timeout = TimeSpan.FromMilliseconds(timeoutMs);
            }
            if (Number("intervalMs") is long intervalMs)
            {
                options.Interval = TimeSpan.FromMilliseconds(intervalMs);
            }
            options.LongPoll = Take("longPoll")?.GetBoolean() ?? true;
            options.ThrowOnError = Take("throwOnError")?.GetBoolean() ?? true;
            return options;
        }

        private Task<TaggedReport> ReviewAsync()
        {
            var report = given["report"];
            var review = JsonSerializer.Deserialize<ReviewRequest>(given["review"].GetRawText());
            return client.ReviewReportAsync(
                report.GetProperty("id").GetString(), report.GetProperty("etag").GetString(), review, Text("idempotencyKey"));
        }

        private RawRequest RawRequest()
        {
            var request = new RawRequest(Text("method")!, Text("path")!) { IdempotencyKey = Text("idempotencyKey") };
            foreach (var pair in Take("query")?.EnumerateObject() ?? default)
            {
                request.Query[pair.Name] = TextOf(pair.Value);
            }
            foreach (var header in Take("headers")?.EnumerateObject() ?? default)
            {
                request.Headers[header.Name] = header.Value.GetString();
            }
            request.Json = Take("json");
            return request;
        }

        /// <summary>The method with most parameters, each filled by its name.</summary>
        private async Task<object?> ByNameAsync()
        {
            var name = char.ToUpperInvariant(operation[0]) + operation.Substring(1);
            var method = typeof(SuturaClient).GetMethods().Where(one => one.Name == name || one.Name == name + "Async")
                .OrderByDescending(one => one.GetParameters().Length).FirstOrDefault()
                ?? throw new InvalidOperationException($"there is no operation {operation}");
            var parameters = method.GetParameters();
            var words = parameters.Select(one => one.ParameterType == typeof(string) ? (object?)Text(one.Name!) : null).ToArray();
            for (var index = 0; index < words.Length; index += 1)
            {
                var type = parameters[index].ParameterType;
                if (type == typeof(CancellationToken))
                {
                    words[index] = CancellationToken.None;
                }
                else if (type != typeof(string))
                {
                    words[index] = typeof(Query).IsAssignableFrom(type) ? QueryOf(type) : Rest(type);
                }
            }
            return await ResultAsync(Invoke(method, words));
        }

        private object Invoke(MethodInfo method, object?[] words)
        {
            try
            {
                return method.Invoke(client, words)!;
            }
            catch (TargetInvocationException fault)
            {
                throw fault.InnerException ?? fault;
            }
        }

        private static async Task<object?> ResultAsync(object made)
        {
            if (made is Task task)
            {
                await task;
                var result = task.GetType().GetProperty("Result");
                var value = result?.GetValue(task);
                return value?.GetType().Name == "VoidTaskResult" || value is Answer ? null : value;
            }
            var collect = typeof(CaseCall).GetMethod(nameof(CollectAsync), BindingFlags.NonPublic | BindingFlags.Static)!
                .MakeGenericMethod(made.GetType().GetGenericArguments());
            return await (Task<object>)collect.Invoke(null, new[] { made })!;
        }

        private static async Task<object> CollectAsync<T>(Pages<T> pages)
        {
            var items = new List<T>();
            await foreach (var item in pages)
            {
                items.Add(item);
            }
            return items;
        }

        private object QueryOf(Type type)
        {
            var query = Activator.CreateInstance(type)!;
            foreach (var pair in given)
            {
                var property = type.GetProperty(char.ToUpperInvariant(pair.Key[0]) + pair.Key.Substring(1))
                    ?? throw new InvalidOperationException($"{type.Name} has no {pair.Key}");
                if (property.GetValue(query) is Dictionary<string, string> map)
                {
                    foreach (var one in pair.Value.EnumerateObject())
                    {
                        map[one.Name] = one.Value.GetString();
                    }
                }
                else
                {
                    property.SetValue(query, JsonSerializer.Deserialize(pair.Value.GetRawText(), property.PropertyType));
                }
            }
            return query;
        }
    }
}

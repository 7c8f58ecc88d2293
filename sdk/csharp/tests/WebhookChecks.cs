using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Sutura.Sdk.Models;

namespace Sutura.Sdk.Tests
{
    /// <summary>Signatures of webhooks, by the vectors that all libraries share.</summary>
    internal static class WebhookChecks
    {
        /// <summary>Those of v1a need ed25519, which .NET does not have.</summary>
        internal static IEnumerable<(string Name, List<string> Faults)> Run(string file)
        {
            var shared = ScriptedServer.Parse(File.ReadAllText(file));
            foreach (var own in shared.GetProperty("vectors").EnumerateArray().Where(one => !one.TryGetProperty("scheme", out _)))
            {
                var vector = shared.GetProperty("default").EnumerateObject().ToDictionary(one => one.Name, one => one.Value);
                foreach (var field in own.EnumerateObject())
                {
                    vector[field.Name] = field.Value;
                }
                yield return (own.GetProperty("name").GetString(), FaultsOf(vector).ToList());
            }
            yield return ("gives typed events and prints no content", Typed(shared.GetProperty("default")).ToList());
        }

        private static IEnumerable<string> FaultsOf(Dictionary<string, JsonElement> vector)
        {
            var secrets = vector["secrets"].EnumerateArray().Select(one => one.GetString()).ToArray();
            var outcome = vector["outcome"];
            WebhookEvent? found = null;
            SuturaException? fault = null;
            try
            {
                found = Verified(secrets, vector["headers"], vector["body"].GetString(), vector["now"].GetString());
            }
            catch (SuturaException refusal)
            {
                fault = refusal;
            }
            var wanted = outcome.TryGetProperty("throws", out var type) ? type.GetString().Replace("Error", "Exception", StringComparison.Ordinal) : null;
            if (fault?.GetType().Name != wanted)
            {
                yield return $"it threw {fault}, not {wanted}";
            }
            if (wanted == null && JsonSerializer.Serialize(found?.Json) != JsonSerializer.Serialize<JsonElement?>(outcome.GetProperty("event")))
            {
                yield return $"it gave {found?.Json}";
            }
            foreach (var secret in secrets.Where(one => one.Length > 6 && fault?.ToString().Contains(one.Substring(6), StringComparison.Ordinal) == true))
            {
                yield return $"the secret of {secret.Length} characters is shown";
            }
        }

        private static WebhookEvent? Verified(string[] secrets, JsonElement headers, string body, string now)
        {
            var values = headers.EnumerateObject().ToDictionary(
                one => one.Name, one => one.Value.EnumerateArray().Select(value => value.GetString()), StringComparer.OrdinalIgnoreCase);
            return new WebhookVerifier(secrets).Verify(Encoding.UTF8.GetBytes(body),
                name => values.TryGetValue(name, out var found) ? found : null, DateTimeOffset.Parse(now, CultureInfo.InvariantCulture));
        }

        private static IEnumerable<string> Typed(JsonElement good)
        {
            var secrets = good.GetProperty("secrets").EnumerateArray().Select(one => one.GetString()).ToArray();
            var found = Verified(secrets, good.GetProperty("headers"), good.GetProperty("body").GetString(), good.GetProperty("now").GetString());
            if (found?.As<ReportReadyEvent>().Data.ReportId != "größer")
            {
                yield return "the typed event lacks its report";
            }
            if (found?.ToString().Contains("größer", StringComparison.Ordinal) != false)
            {
                yield return "what is printed has content";
            }
        }
    }
}

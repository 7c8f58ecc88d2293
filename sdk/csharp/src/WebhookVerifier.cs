using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Sutura.Sdk
{
    /// <summary>Checks webhooks (Standard Webhooks 1.0.0) by the signature v1 with a secret, or several while one takes the place
    /// of another. .NET has no ed25519: v1a is not checked.</summary>
    public sealed class WebhookVerifier
    {
        private const long ToleranceS = 300;
        private const int ShortestSecretBytes = 24;
        private const int LongestSecretBytes = 64;
        private const int LongestTime = 12;
        private readonly List<byte[]> keys;

        /// <summary>For secrets <c>whsec_…</c> as they were shown when the webhook was made.</summary>
        public WebhookVerifier(params string?[] secrets)
        {
            if (secrets.Length == 0)
            {
                throw Unset();
            }
            keys = secrets.Select(KeyOf).ToList();
        }

        /// <summary>The event, once its signature is verified; null for an empty body.</summary>
        /// <param name="body">as it came, before anything parsed it</param>
        /// <param name="headersOf">the values of a header of the request; none where it is missing</param>
        public WebhookEvent? Verify(byte[] body, Func<string, IEnumerable<string?>?> headersOf) =>
            Verify(body, headersOf, DateTimeOffset.UtcNow);

        /// <summary>The same with the three headers.</summary>
        public WebhookEvent? Verify(byte[] body, string? id, string? timestamp, string? signatures) =>
            Verify(body, id, timestamp, signatures, DateTimeOffset.UtcNow);

        internal WebhookEvent? Verify(byte[] body, Func<string, IEnumerable<string?>?> headersOf, DateTimeOffset now)
        {
            // Twice the same header: not from the service.
            string? Only(string name) => headersOf(name)?.ToList() is { Count: 1 } values ? values[0] : null;
            return Verify(body, Only("webhook-id"), Only("webhook-timestamp"), Only("webhook-signature"), now);
        }

        private WebhookEvent? Verify(byte[] body, string? id, string? timestamp, string? signatures, DateTimeOffset now)
        {
            if (body == null)
            {
                throw new ConfigurationException("The raw body is needed: take it as bytes, before anything parses it.", Facts.None);
            }
            if (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(timestamp) || string.IsNullOrEmpty(signatures))
            {
                throw Refused("a header webhook-id, webhook-timestamp or webhook-signature is missing");
            }
            if (id.Contains('.') || timestamp.Length > LongestTime || !timestamp.All(one => one >= '0' && one <= '9'))
            {
                throw Refused("webhook-id or webhook-timestamp is no such thing");
            }
            if (Math.Abs(now.ToUnixTimeSeconds() - long.Parse(timestamp, CultureInfo.InvariantCulture)) > ToleranceS)
            {
                throw Refused("it is more than 5 minutes old, or the clock of this machine is wrong");
            }
            if (!IsSigned(Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray(), signatures))
            {
                throw Refused("none of its signatures is made with the secret");
            }
            return body.Length == 0 ? null : EventOf(body);
        }

        private bool IsSigned(byte[] content, string signatures)
        {
            var isFound = false;
            // All of them: the time does not tell which one was right.
            foreach (var one in signatures.Split(' '))
            {
                var signature = one.StartsWith("v1,", StringComparison.Ordinal) ? BytesOf(one.Substring(3)) : null;
                foreach (var key in keys)
                {
                    using var hmac = new HMACSHA256(key);
                    isFound |= CryptographicOperations.FixedTimeEquals(hmac.ComputeHash(content), signature ?? Array.Empty<byte>());
                }
            }
            return isFound;
        }

        private static WebhookEvent EventOf(byte[] body) =>
            JsonText.Read(body) is JsonElement json && json.ValueKind == JsonValueKind.Object
                ? new WebhookEvent(json)
                : throw Refused("its body is no JSON");

        private static byte[] KeyOf(string? secret)
        {
            if (string.IsNullOrWhiteSpace(secret))
            {
                throw Unset();
            }
            var text = secret.Trim();
            var key = text.StartsWith("whsec_", StringComparison.Ordinal) ? BytesOf(text.Substring("whsec_".Length)) : null;
            return key != null && key.Length >= ShortestSecretBytes && key.Length <= LongestSecretBytes
                ? key
                : throw new ConfigurationException(
                    "The secret of a webhook is whsec_… as it was shown once. Its public key whpk_… is for v1a, which .NET cannot check.", Facts.None);
        }

        private static byte[]? BytesOf(string base64)
        {
            var bytes = new byte[base64.Length];
            return Convert.TryFromBase64String(base64, bytes, out var count) ? bytes.AsSpan(0, count).ToArray() : null;
        }

        private static ConfigurationException Unset() => new ConfigurationException(
            "No webhook secret: give the whsec_… that was shown when the webhook was made. Is the variable that holds it set?", Facts.None);

        private static WebhookVerificationException Refused(string why) =>
            new WebhookVerificationException($"The webhook is refused: {why}.", Facts.None);
    }

    /// <summary>An event whose signature was checked.</summary>
    public sealed class WebhookEvent
    {
        internal WebhookEvent(JsonElement json) => Json = json;

        /// <summary>For example <c>report.ready</c>; pass over types that you do not know.</summary>
        public string? Type => TextOf("type");

        /// <summary>When it happened.</summary>
        public string? Timestamp => TextOf("timestamp");

        /// <summary>The whole event.</summary>
        public JsonElement Json { get; }

        /// <summary>The event as a type of its own, such as <see cref="Models.ReportReadyEvent"/>.</summary>
        public T As<T>() where T : class =>
            JsonText.To<T>(Json) ?? throw new InvalidOperationException($"This event is no {typeof(T).Name}.");

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"WebhookEvent[type={Type}]";

        private string? TextOf(string name) =>
            Json.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
    }
}

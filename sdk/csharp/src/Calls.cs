using System;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>Sends until it succeeds or may not be repeated, and makes of the answer what a caller gets.</summary>
    internal sealed class Calls
    {
        internal Calls(Connection connection) => (Connection, Settings) = (connection, connection.Settings);

        internal Connection Connection { get; }

        internal Settings Settings { get; }

        /// <summary>Null: a repeat of a deletion found nothing.</summary>
        internal async Task<T?> SendAsync<T>(Call call, Func<Answer, T> read, CancellationToken cancellationToken) where T : class
        {
            for (var failures = 0; ; failures += 1)
            {
                TimeSpan? pause;
                try
                {
                    call.Failures = failures;
                    return read(await Connection.SendOnceAsync(call, failures, cancellationToken).ConfigureAwait(false));
                }
                catch (NotFoundException) when (failures > 0 && call.IsGoneDone)
                {
                    return null;
                }
                catch (SuturaException fault)
                {
                    pause = Retries.PauseBefore(fault, failures, call, Settings);
                    if (pause == null)
                    {
                        throw;
                    }
                }
                await Settings.Time.SleepAsync(pause.Value, cancellationToken).ConfigureAwait(false);
            }
        }

        /// <summary><paramref name="needed"/>: the fields without which an answer is not one of Sutura's.</summary>
        internal async Task<T> JsonAsync<T>(Call call, CancellationToken cancellationToken, params string[] needed) where T : class =>
            (await SendAsync(call, answer => Read<T>(answer, needed), cancellationToken).ConfigureAwait(false))!;

        internal T Read<T>(Answer answer, params string[] needed) where T : class
        {
            if (JsonText.Read(answer.Body) is JsonElement value && value.ValueKind == JsonValueKind.Object
                && needed.All(name => value.TryGetProperty(name, out var field) && IsWhole(name, field))
                && JsonText.To<T>(value) is T typed)
            {
                return typed;
            }
            throw Connection.Malformed(answer);
        }

        private static bool IsWhole(string name, JsonElement field) => name switch
        {
            _ when field.ValueKind == JsonValueKind.Null => false,
            "items" => field.ValueKind == JsonValueKind.Array,
            "assessments" => field.ValueKind == JsonValueKind.Array,
            "uploadUrl" => IsAddress(field),
            "url" => IsAddress(field),
            "id" => field.ValueKind == JsonValueKind.String,
            "status" => field.ValueKind == JsonValueKind.String,
            "imageId" => field.ValueKind == JsonValueKind.String,
            _ => true,
        };

        private static bool IsAddress(JsonElement field) =>
            field.ValueKind == JsonValueKind.String && Settings.WebAddress(field.GetString()) != null;

        internal Task NothingAsync(Call call, CancellationToken cancellationToken) =>
            SendAsync(call, answer => answer, cancellationToken);

        internal async Task<byte[]> BytesAsync(Call call, string mediaType, CancellationToken cancellationToken)
        {
            call.IsLong = true;
            call.Header("accept", mediaType);
            return (await SendAsync(call, answer => OfType(answer, mediaType).Body, cancellationToken).ConfigureAwait(false))!;
        }

        /// <summary>A page of a proxy is no picture.</summary>
        internal Answer OfType(Answer answer, string mediaType) =>
            answer.HasType(mediaType) ? answer : throw Connection.Malformed(answer);
    }
}

using System.Text.Json;

namespace Sutura.Sdk
{
    /// <summary>JSON as the contract has it. Fields of later releases are passed over, and what was not set is not sent.</summary>
    internal static class JsonText
    {
        internal static readonly JsonSerializerOptions Options = new JsonSerializerOptions { IgnoreNullValues = true };

        /// <summary>Null for what is no JSON.</summary>
        internal static JsonElement? Read(byte[] bytes)
        {
            try
            {
                using var document = JsonDocument.Parse(bytes);
                return document.RootElement.Clone();
            }
            catch (JsonException)
            {
                return null;
            }
        }

        /// <summary>Null for what does not have the form of the type; the fault is not kept, since it may show content.</summary>
        internal static T? To<T>(JsonElement value) where T : class
        {
            try
            {
                return JsonSerializer.Deserialize<T>(value.GetRawText(), Options);
            }
            catch (JsonException)
            {
                return null;
            }
        }

        internal static byte[] Write(object value) => JsonSerializer.SerializeToUtf8Bytes(value, value.GetType(), Options);
    }
}

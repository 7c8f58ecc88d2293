using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Sutura.Sdk
{
    /// <summary>One request, and what is special about it.</summary>
    internal sealed class Call
    {
        private Call(string method, string path, Uri? address) =>
            (Method, Path, Address, WithKey) = (method, path, address, address == null);

        internal string Method { get; }

        /// <summary>Below the base URL; or <see cref="Address"/>.</summary>
        internal string Path { get; private set; }

        /// <summary>Goes there as it is, and without the key unless <see cref="WithKey"/>.</summary>
        internal Uri? Address { get; }

        internal Dictionary<string, string> Headers { get; } = new Dictionary<string, string>();

        internal bool WithKey { get; set; }

        internal byte[]? Body { get; private set; }

        internal Photo? Photo { get; set; }

        internal IProgress<UploadProgress>? Progress { get; set; }

        /// <summary>Where the body of a success goes, piece by piece; memory where null.</summary>
        internal FileSink? Sink { get; set; }

        /// <summary>Whether a body that moves may take longer than the timeout.</summary>
        internal bool IsLong { get; set; }

        /// <summary>A status besides 2xx that is an answer.</summary>
        internal int? Accepted { get; set; }

        internal bool AcceptsRedirects { get; set; }

        internal bool IsGoneDone { get; private set; }

        internal bool IsRepeatable { get; set; } = true;

        internal bool IsKeyed { get; private set; }

        /// <summary>How many attempts failed before the last one.</summary>
        internal int Failures { get; set; }

        internal TimeSpan? Timeout { get; set; }

        /// <summary>Without the query, which may hold a signature or a patient's number.</summary>
        internal string ShownPath => Address == null ? Path.Split('?')[0] : Address.AbsolutePath;

        internal static Call Of(string method, string path) => new Call(method, path, null);

        internal static Call To(string method, Uri address) => new Call(method, "", address);

        internal Call Query(Query? query, string? cursor = null)
        {
            var pairs = QueryPairs.Of(query);
            pairs.Put("cursor", cursor);
            Path += pairs.TextAfter(Path);
            return this;
        }

        internal Call Query(string name, string? value)
        {
            var pairs = new QueryPairs();
            pairs.Put(name, value);
            Path += pairs.TextAfter(Path);
            return this;
        }

        /// <summary>Nothing to say is an empty object.</summary>
        internal Call Json(object? body)
        {
            Body = body == null ? Encoding.UTF8.GetBytes("{}") : JsonText.Write(body);
            return Header("content-type", "application/json");
        }

        /// <summary>.NET would say of such a character that the network failed.</summary>
        internal Call Header(string name, string value)
        {
            if (value.Any(one => one < ' ' || one > '~'))
            {
                throw new ArgumentException($"The header {name} takes visible ASCII alone.", nameof(value));
            }
            Headers[name] = value;
            return this;
        }

        /// <summary>All attempts have one key, the caller's or a new one.</summary>
        internal Call Key(string? idempotencyKey)
        {
            IsKeyed = true;
            return Header("idempotency-key", idempotencyKey ?? Guid.NewGuid().ToString());
        }

        /// <summary>Not again where the service may have done it.</summary>
        internal Call Once()
        {
            IsRepeatable = false;
            return this;
        }

        /// <summary>A repeat that finds nothing did it before.</summary>
        internal Call GoneIsDone()
        {
            IsGoneDone = true;
            return this;
        }
    }
}

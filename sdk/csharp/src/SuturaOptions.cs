using System;
using System.Net.Http;

namespace Sutura.Sdk
{
    /// <summary>Options of a client, all with a default.</summary>
    public sealed class SuturaOptions
    {
        /// <summary>By default <c>SUTURA_API_KEY</c>.</summary>
        public string? ApiKey { get; set; }

        /// <summary>By default <c>SUTURA_BASE_URL</c>, else the service on this machine. A path in it is kept.</summary>
        public string? BaseUrl { get; set; }

        /// <summary>The longest wait for an answer, and the longest silence while a photo or document is on its way; 60 s.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(60);

        /// <summary>Repeats after the first attempt; 3.</summary>
        public int MaxRetries { get; set; } = 3;

        /// <summary>The longest <c>Retry-After</c> that is waited for; 60 s.</summary>
        public TimeSpan MaxRetryAfter { get; set; } = TimeSpan.FromSeconds(60);

        /// <summary>For a proxy or a certificate authority of one's own. It must not follow redirects.</summary>
        public HttpMessageHandler? Handler { get; set; }

        /// <summary>Is given a line for each attempt, without key, query and content.</summary>
        public Action<string>? Log { get; set; }

        internal ITime Time { get; set; } = new RealTime();

        /// <summary>Without the key.</summary>
        public override string ToString() => "SuturaOptions";
    }
}

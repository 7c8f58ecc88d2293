using System;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>Clock, chance and sleep; tests have their own.</summary>
    internal interface ITime
    {
        DateTimeOffset Now { get; }

        /// <summary>From 0, below 1.</summary>
        double Random();

        Task SleepAsync(TimeSpan pause, CancellationToken cancellationToken);
    }

    /// <summary>That of this machine.</summary>
    internal sealed class RealTime : ITime
    {
        private readonly Random random = new Random();

        public DateTimeOffset Now => DateTimeOffset.UtcNow;

        public double Random()
        {
            lock (random)
            {
                return random.NextDouble();
            }
        }

        public Task SleepAsync(TimeSpan pause, CancellationToken cancellationToken) => Task.Delay(pause, cancellationToken);
    }

    /// <summary>The options of a client but the key, checked and complete.</summary>
    internal sealed class Settings
    {
        private const string Local = "http://127.0.0.1:3000";

        internal Settings(SuturaOptions options)
        {
            if (options.Timeout <= TimeSpan.Zero || options.MaxRetries < 0 || options.MaxRetryAfter < TimeSpan.Zero)
            {
                throw Refused("Timeout must be above 0, MaxRetries and MaxRetryAfter not below.");
            }
            BaseUrl = CheckedUrl(options.BaseUrl ?? Environment.GetEnvironmentVariable("SUTURA_BASE_URL"));
            Timeout = options.Timeout;
            MaxRetries = options.MaxRetries;
            MaxRetryAfter = options.MaxRetryAfter;
            Http = new HttpClient(CheckedHandler(options.Handler)) { Timeout = System.Threading.Timeout.InfiniteTimeSpan };
            Time = options.Time;
            Log = options.Log;
        }

        /// <summary>Without a slash at its end.</summary>
        internal string BaseUrl { get; }

        internal TimeSpan Timeout { get; }

        internal int MaxRetries { get; }

        internal TimeSpan MaxRetryAfter { get; }

        internal HttpClient Http { get; }

        internal ITime Time { get; }

        internal Action<string>? Log { get; }

        /// <summary>Null for what is no address of the web.</summary>
        internal static Uri? WebAddress(string? text) =>
            Uri.TryCreate(text, UriKind.Absolute, out var address)
            && (address.Scheme == Uri.UriSchemeHttp || address.Scheme == Uri.UriSchemeHttps) && address.Host != ""
                ? address
                : null;

        internal static string OriginOf(Uri address) => address.GetLeftPart(UriPartial.Authority);

        internal bool IsOwnOrigin(Uri address) =>
            string.Equals(OriginOf(address), OriginOf(new Uri(BaseUrl)), StringComparison.OrdinalIgnoreCase);

        /// <summary>Trimmed, because keys are often read from a file with a line end. The messages do not show what was given.</summary>
        internal static string CheckedKey(string? given)
        {
            var key = (given ?? Environment.GetEnvironmentVariable("SUTURA_API_KEY") ?? "").Trim();
            if (key == "")
            {
                throw Refused("No API key: give ApiKey, or set SUTURA_API_KEY.");
            }
            foreach (var character in key)
            {
                if (character < '!' || character > '~')
                {
                    throw Refused("The API key has characters that no key has. Copy it again.");
                }
            }
            return key;
        }

        private static string CheckedUrl(string? given)
        {
            var text = string.IsNullOrWhiteSpace(given) ? Local : given.Trim();
            var url = WebAddress(text);
            if (url == null || url.UserInfo != "" || url.Query != "" || url.Fragment != "")
            {
                throw Refused($"The base URL must be an address such as {Local}, without user, password, query and fragment.");
            }
            var cut = text.TrimEnd('/');
            return cut.EndsWith("/api/v1", StringComparison.Ordinal)
                ? throw Refused("Leave out /api/v1 at the end of the base URL: this library adds it.")
                : cut;
        }

        private static HttpMessageHandler CheckedHandler(HttpMessageHandler? given) => given switch
        {
            null => new SocketsHttpHandler
            {
                AllowAutoRedirect = false,
                UseCookies = false,
                // A name may lead to another machine while a program runs for months.
                PooledConnectionLifetime = TimeSpan.FromMinutes(5),
            },
            SocketsHttpHandler sockets when sockets.AllowAutoRedirect => throw Redirecting(),
            HttpClientHandler client when client.AllowAutoRedirect => throw Redirecting(),
            _ => given,
        };

        private static ConfigurationException Redirecting() =>
            Refused("The handler must not follow redirects (AllowAutoRedirect = false): the key would go along.");

        private static ConfigurationException Refused(string why) => new ConfigurationException(why, Facts.None);
    }
}

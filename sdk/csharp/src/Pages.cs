using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sutura.Sdk
{
    /// <summary>Every item of all pages of a list. A page is read when its first item is wanted; each loop begins anew.</summary>
    public sealed class Pages<T> : IAsyncEnumerable<T>
    {
        private readonly Func<string?, CancellationToken, Task<(IReadOnlyList<T> Items, string? NextCursor)>> read;

        internal Pages(Func<string?, CancellationToken, Task<(IReadOnlyList<T> Items, string? NextCursor)>> read) => this.read = read;

        /// <summary>Begins at the first page.</summary>
        public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
        {
            string? cursor = null;
            do
            {
                var page = await read(cursor, cancellationToken).ConfigureAwait(false);
                foreach (var item in page.Items)
                {
                    yield return item;
                }
                cursor = page.NextCursor;
            }
            while (cursor != null);
        }
    }

    /// <summary>Makes lists of pages.</summary>
    internal static class Pages
    {
        internal static Pages<T> Of<TPage, T>(Func<string?, CancellationToken, Task<TPage>> read,
            Func<TPage, IReadOnlyList<T>> items, Func<TPage, string?> nextCursor) =>
            new Pages<T>(async (cursor, cancellationToken) =>
            {
                var page = await read(cursor, cancellationToken).ConfigureAwait(false);
                return (items(page), nextCursor(page));
            });
    }
}

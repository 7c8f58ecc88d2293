/** Said by this service itself, or about the connection alone. */
const OWN =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|http2-settings|keep-alive|expect|early-data|alt-.*|proxy-.*|webhook-.*|traceparent|tracestate|via|date|user-agent|accept.*|x-sutura-.*)$/i;
/** Written by browsers, proxies and gateways of clouds, and trusted by the hosts behind them: they say who asks, from where, or for what. */
const FORGED = new RegExp(
  `^(${[
    'cookie2?|origin|referer|sec-.*|from',
    'forwarded|x-forwarded(-.*)?|x-real-ip|.*-client-ip|client-ip|x-cluster-.*|true-client-ip|cf-.*|fastly-.*|x-envoy-.*|x-proxy-.*|front-end-https',
    'x-original-.*|x-rewrite-.*|x-host|x-http-method.*|x-method-override|x-http-.*|x-arr-.*|x-appengine-.*|x-azure-.*|x-ms-.*|x-amzn-.*|x-aws-.*|x-goog-.*|x-google-.*',
    'x-remote-.*|remote-.*|x-ssl-.*|ssl-.*|x-client-cert.*|x-auth-request-.*|x-authenticated-.*|x-webauth-.*|x-consumer-.*|x-credential-.*|x-user(-.*)?',
    'x-scope-orgid|impersonate-.*|tailscale-.*|x-pomerium-.*|x-authentik-.*|x-vouch-.*',
    'metadata.*',
  ].join('|')})$`,
  'i',
);

/**
 * Why a caller may not have this header sent with notifications, in words; null: it is sent. To CGI and what came of it `X_Real_IP` is
 * `X-Real-IP` (RFC 3875, 4.1.18).
 */
export function faultOfHeader(name: string): string | null {
  const dashed = name.replaceAll('_', '-');
  if (OWN.test(dashed)) return 'This header is written by the service itself.';
  if (FORGED.test(dashed)) return 'This header says who asks, or through which proxy, and is not sent for a caller.';
  return null;
}

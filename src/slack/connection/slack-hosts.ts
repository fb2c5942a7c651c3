/**
 * Whether an address is on Slack’s own hosts: that of its API, or one below it, such as hooks.slack.com.
 *
 * @param apiUrl such as https://slack.com/api/
 */
export function createIsOfSlack(apiUrl: string): (address: string) => boolean {
  const { hostname, protocol } = new URL(apiUrl);
  return (address) => {
    const url = URL.parse(address);
    return (
      url !== null && url.protocol === protocol && (url.hostname === hostname || url.hostname.endsWith(`.${hostname}`))
    );
  };
}

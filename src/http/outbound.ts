import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent, buildConnector, Pool, ProxyAgent, setGlobalDispatcher, type Dispatcher } from 'undici';
import { isLoopback } from '../domain/address.ts';

/** The proxies of a network, by the protocol of what they lead to. */
export interface Proxies {
  https: string | undefined;
  http: string | undefined;
  /** Hosts that are reached without, and all below them: `example`, `.example`, `*.example` or `example:443`; `*`: everything. */
  except: readonly string[];
}

/** The proxy that leads to an address; undefined: none, as always to this machine itself. */
export function proxyOf(address: string | URL, { https, http, except }: Proxies): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol.endsWith('s:');
  const isExcepted = except.some((entry) => {
    const [, host = '', only] = /^(?:\*?\.)?(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const isSamePort = only === undefined || only === (port || (isSecure ? '443' : '80'));
    return isSamePort && (host === '*' || `.${hostname}`.endsWith(`.${host}`));
  });
  return isExcepted || isLoopback(hostname) ? undefined : isSecure ? https : http;
}

/**
 * Options of an agent whose connections lead through the proxies.
 *
 * @param onSocket called with each connection
 */
export function throughProxies(proxies: Proxies, onSocket?: (socket: Socket) => void): Pick<Agent.Options, 'factory'> {
  const open = (origin: string | URL, options: Pool.Options): Dispatcher =>
    new Pool(origin, onSocket ? { ...options, connect: seen(options, onSocket) } : options);
  return {
    factory(origin, options: Pool.Options) {
      const uri = proxyOf(origin, proxies);
      return uri === undefined ? open(origin, options) : new ProxyAgent({ ...options, uri, factory: open });
    },
  };
}

function seen(
  { connect: given, ...options }: Pool.Options,
  onSocket: (socket: Socket) => void,
): buildConnector.connector {
  const connect = typeof given === 'function' ? given : buildConnector({ allowH2: options.allowH2, ...given });
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[1]) onSocket(result[1]);
      callback(...result);
    });
}

/**
 * Has everything that the process sends outside go through the proxies, and trust the network's own authorities, too. Node
 * itself reads NODE_EXTRA_CA_CERTS too early for a file `.env`.
 */
export function joinNetwork({ proxies, certificates }: { proxies: Proxies; certificates: readonly string[] }): void {
  setGlobalDispatcher(new Agent(throughProxies(proxies)));
  if (certificates.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}

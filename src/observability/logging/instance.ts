import { hostname } from 'node:os';

/** Tells the processes that share one database apart. In a container the host name is that of the container. */
export const INSTANCE = `${hostname()}-${process.pid}`;

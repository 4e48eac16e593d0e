import { hostname } from 'node:os';

/** Distinguishes the processes that share one database. In a container the host name is that of the container. */
export const INSTANCE = `${hostname()}-${process.pid}`;

import { HostLink } from "./host-link.js";
import { reportTo } from "./reporting.js";

/** To the page. It is there before the interface is, so that what goes wrong while that is loaded is told. */
export const link = new HostLink();
reportTo(link);

/** Why a link is over. It is no error class, so that what is of Node can be loaded apart from the rest. */
export interface LinkEnd {
  message: string;
  /** Trying again would not help: whoever is there does not let us in. */
  final?: boolean;
  /** There never was anybody: what was to be started could not be. */
  neverBegan?: boolean;
}

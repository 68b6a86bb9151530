import { CurrentPage } from "./pages/current-page.tsx";
import { RouterProvider } from "./ui/router.tsx";
import { Shell } from "./ui/shell.tsx";
import { ToastProvider } from "./ui/toasts.tsx";
import { type WorkspaceOptions, WorkspaceProvider } from "./ui/workspace.tsx";

/**
 * The whole interface of an API. It starts with sample data; a person connects it to the API.
 * Everything that it shows comes from its descriptor.
 */
export function Interface(options: WorkspaceOptions) {
  return (
    <WorkspaceProvider {...options}>
      <ToastProvider>
        <RouterProvider>
          <Shell>
            <CurrentPage />
          </Shell>
        </RouterProvider>
      </ToastProvider>
    </WorkspaceProvider>
  );
}

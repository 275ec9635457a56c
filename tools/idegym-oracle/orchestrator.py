"""The orchestrator of an upstream checkout, without its database and without a cluster.

Replaced are the database (its rows are declared inputs) and the HTTP layer below the Kubernetes client: what the
client would send is captured after its own serialization.
"""

import sys
import types


class Row(types.SimpleNamespace):
    """A database row."""


class Database(types.ModuleType):
    """Replaces `idegym.orchestrator.database.helpers`: drops writes, and gives a new server the number of the run."""

    server_id = 0
    failures = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        async def helper(*_, **fields):
            match name:
                case "validate_client":
                    return Row(name="client")
                case "find_matching_finished_server_in_db":
                    return None, "client"
                case "check_resources_and_save_server_in_db":
                    return Row(
                        id=Database.server_id,
                        generated_name=f"{fields['server_name']}-{Database.server_id}",
                        server_name=fields["server_name"],
                        image_tag=fields["image_tag"],
                    )
                case "update_operation_with_error":
                    Database.failures.append(str(fields.get("body")))
            return None

        return helper


def load(checkout):
    """The modules `router.server` of the checkout and `kubernetes_client` of the installed package."""
    sys.path.insert(0, f"{checkout}/orchestrator/src")
    sys.modules["idegym.orchestrator.database.helpers"] = Database("idegym.orchestrator.database.helpers")
    import idegym.backend.utils.kubernetes_client as kubernetes_client
    import idegym.orchestrator.router.server as router

    async def ready(**_):
        return None

    router.wait_for_pods_ready = ready
    return router, kubernetes_client


class Cluster:
    """The APIs that `deploy_server` calls. Keeps the bodies; `finish` may change the Deployment before it is sent."""

    def __init__(self, kubernetes_client, finish):
        self.client = kubernetes_client
        self.finish = finish
        self.objects = []

    async def apis(self):
        return self, self, self, self, self

    async def create_namespaced_deployment(self, body, namespace):
        body = self.finish(body)
        self.keep(body, namespace)
        body.metadata.uid = "00000000-0000-4000-8000-000000000000"
        return body

    async def create_namespaced_service(self, body, namespace):
        self.keep(body, namespace)

    async def create_namespaced_pod_disruption_budget(self, body, namespace):
        self.keep(body, namespace)

    def keep(self, body, namespace):
        """The client sends the namespace in the URL; it is kept with the object, so that it is compared."""
        body = serialize(self.client, body)
        body["metadata"]["namespace"] = namespace
        self.objects.append(body)


def serialize(kubernetes_client, value):
    """A typed object of the client as it would send it: camelCase, without nulls."""
    return _api(kubernetes_client).sanitize_for_serialization(value)


def deserialize(kubernetes_client, value, kind):
    """The typed object that the client creates from a map. Unknown keys are dropped, as they are upstream."""
    return _api(kubernetes_client)._ApiClient__deserialize(value, kind)


def _api(kubernetes_client):
    """A serializer needs no connection."""
    api = kubernetes_client.ApiClient.__new__(kubernetes_client.ApiClient)
    api.configuration = kubernetes_client.Configuration()
    return api

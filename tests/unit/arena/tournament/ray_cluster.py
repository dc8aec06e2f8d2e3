"""A Ray cluster of two nodes on this machine, for a test: says where it is, and loses a node when told to.

stdin   kill         stdout  ADDRESS, then killed
stdin   (its end)    the cluster ends
"""

from __future__ import annotations

import sys

from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    second = cluster.add_node(**NODE)
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(second, allow_graceful=False)
            print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()

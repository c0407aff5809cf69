"""Networks: one file per architecture, one signature (`NetworkOutput`), listed in `NETWORKS`."""

from atgvnet.network.low import LowNetwork
from atgvnet.network.mid import MidNetwork
from atgvnet.network.output import DepthNetwork, NetworkOutput

__all__ = ["NETWORKS", "DepthNetwork", "LowNetwork", "MidNetwork", "NetworkOutput"]

NETWORKS: dict[str, type[DepthNetwork]] = {"mid": MidNetwork, "low": LowNetwork}

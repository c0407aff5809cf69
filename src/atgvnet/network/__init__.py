"""Networks: one file per architecture, one signature (`NetworkOutput`), listed in `NETWORKS`."""

from torch import nn

from atgvnet.network.low import LowNetwork
from atgvnet.network.mid import MidNetwork
from atgvnet.network.output import NetworkOutput

__all__ = ["NETWORKS", "LowNetwork", "MidNetwork", "NetworkOutput"]

NETWORKS: dict[str, type[nn.Module]] = {"mid": MidNetwork, "low": LowNetwork}
